#include "core/relay/sealer.h"

#include <gtest/gtest.h>

#include "core/relay/rtcp_draft.h"
#include "core/rtp/rtcp_writer.h"
#include "tests/unit/core/relay/fixture.h"

namespace runnel::relay {
namespace {

/// A state with clear receiver 0, and receiver 1 whose key has one SRTCP packet left.
class SealerTest : public testing::Test {
 protected:
  SealerTest() {
    state_.receivers.add({});
    state_.receivers.add({});
    state_.receivers[1].id = {0, 1, 0};
    state_.receivers[1].sender.emplace(make_key(1),
                                       srtp::SenderOptions{.initial_srtcp_index = 0x7fff'ffff});
  }
  void add_report(Sealer& sealer, std::uint32_t receiver) {
    rtp::RtcpWriter writer(outbox_.next_slot());
    writer.receiver_report(receiver, {});
    writer.source_description(receiver, "name");
    sealer.add(rtcp_draft(writer.written(), DatagramOwner::receiver(receiver),
                          state_.receivers[receiver].present_sender(), PortIndex{0}, host(1)));
  }

  SeededRandom random_;
  EngineState state_{EngineLimits{}, random_};
  Outbox outbox_{8};
};

TEST_F(SealerTest, what_cannot_be_sealed_is_not_sent_and_the_end_of_a_key_is_said_once) {
  Sealer sealer(state_, outbox_);
  for (const std::uint32_t receiver : {1U, 0U, 1U, 0U, 1U}) add_report(sealer, receiver);
  sealer.finish();
  std::vector<std::uint32_t> owners;
  for (const OutgoingDatagram& datagram : outbox_.datagrams()) owners.push_back(datagram.owner);
  EXPECT_EQ(owners, (std::vector<std::uint32_t>{1, 0, 0}));
  EXPECT_EQ(state_.receivers[1].drops[DropReason::key_expired], 2U);
  std::vector<Event> events;
  state_.events.take(events);
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(std::get<KeyExpired>(events[0]).receiver, (ReceiverMediumId{0, 1, 0}));
}

TEST_F(SealerTest, a_clear_datagram_keeps_its_bytes) {
  Sealer sealer(state_, outbox_);
  add_report(sealer, 0);
  sealer.finish();
  ASSERT_EQ(outbox_.datagrams().size(), 1U);
  EXPECT_EQ(outbox_.datagrams()[0].bytes.size(), 8U + 16U);
  EXPECT_EQ(state_.receivers[0].bytes, 24U);
}

}  // namespace
}  // namespace runnel::relay
