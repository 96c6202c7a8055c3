#include "core/relay/farewells.h"

#include <gtest/gtest.h>

#include "core/relay/departures.h"
#include "tests/unit/core/relay/fixture.h"

namespace runnel::relay {
namespace {

FarewellAddress to_receiver(std::uint8_t number) {
  return {
      .owner = DatagramOwner::receiver(number), .port = PortIndex{number}, .destination = host(1)};
}

TEST(Farewells, leave_in_order_as_the_outbox_has_room_and_keep_nothing) {
  Farewells farewells;
  for (std::uint8_t i = 0; i < 5; ++i) {
    std::array<std::uint8_t, 64> buffer{};
    buffer.fill(i);
    FarewellAddress to = to_receiver(i);
    if (i % 2 == 1) to.channel = ChannelId{i};
    farewells.add(to, nullptr, buffer, 10U + i);
  }
  Outbox outbox(2);
  std::vector<std::uint32_t> owners;
  while (!farewells.empty()) {
    outbox.clear();
    farewells.deliver(outbox);
    for (const OutgoingDatagram& datagram : outbox.datagrams()) {
      EXPECT_EQ(datagram.bytes.size(), 10 + datagram.owner);
      EXPECT_EQ(datagram.bytes.back(), datagram.owner);
      owners.push_back(datagram.owner);
    }
    for (const OutgoingMessage& message : outbox.messages()) {
      EXPECT_TRUE(message.is_rtcp);
      EXPECT_EQ(static_cast<std::uint32_t>(message.channel), message.owner);
      EXPECT_EQ(message.bytes.size(), 10 + message.owner);
      owners.push_back(message.owner);
    }
  }
  EXPECT_EQ(owners, (std::vector<std::uint32_t>{0, 1, 2, 3, 4}));
}

TEST(Farewells, that_cannot_be_sealed_any_more_are_not_sent) {
  srtp::Sender spent(make_key(1), srtp::SenderOptions{.initial_srtcp_index = 0x7fff'ffff});
  std::array<std::uint8_t, 64> buffer{0x80, 201, 0, 1, 0, 0, 0, 1};
  Farewells farewells;
  farewells.add(to_receiver(0), &spent, buffer, 8);
  EXPECT_FALSE(farewells.empty());
  Outbox outbox(2);
  farewells.deliver(outbox);
  EXPECT_TRUE(farewells.empty());
  EXPECT_GT(outbox.datagrams()[0].bytes.size(), 8U);
  farewells.add(to_receiver(0), &spent, buffer, 8);
  EXPECT_TRUE(farewells.empty());
}

TEST(Departures, are_buried_after_they_have_been_told_of) {
  Departures departures;
  std::vector<std::uint32_t> buried;
  const auto bury = [&](const Departed& departed) { buried.push_back(departed.index); };
  departures.add({Departed::Kind::leg, 1});
  departures.bury_told(bury);
  EXPECT_TRUE(buried.empty());
  departures.told();
  departures.add({Departed::Kind::relay, 2});
  departures.bury_told(bury);
  EXPECT_EQ(buried, std::vector<std::uint32_t>{1});
  EXPECT_FALSE(departures.empty());
  departures.told();
  departures.bury_told(bury);
  EXPECT_EQ(buried, (std::vector<std::uint32_t>{1, 2}));
  EXPECT_TRUE(departures.empty());
}

}  // namespace
}  // namespace runnel::relay
