// The engine's contract towards the daemon, beyond what the simulation shows.
#include "core/relay/engine.h"

#include <map>

#include <gtest/gtest.h>

#include "core/rtp/rtp_packet.h"
#include "tests/unit/core/relay/fixture.h"

namespace runnel::relay {
namespace {

using namespace std::chrono_literals;

using Bytes = std::vector<std::uint8_t>;
const Timestamp kStart{1h};

Bytes clear_packet(std::uint16_t sequence_number, std::uint32_t ssrc = 7) {
  Bytes packet(100);
  const std::size_t size = rtp::write_header({.payload_type = 96,
                                              .sequence_number = sequence_number,
                                              .timestamp = {1000},
                                              .ssrc = ssrc,
                                              .contributing_sources = {},
                                              .extension_profile = std::nullopt,
                                              .extension_data = {}},
                                             packet);
  EXPECT_EQ(size, rtp::kFixedHeaderSize);
  return packet;
}

/// Sends `count` packets of one source to `receivers` clear receivers through an outbox of `slots`.
std::vector<std::pair<SocketAddress, Bytes>> relay_through(std::size_t slots) {
  SeededRandom random;
  Engine engine({}, random);
  auto relay = relay_on("a", 0);
  for (std::uint16_t i = 0; i < 7; ++i) {
    relay.to.push_back(
        receiver_on(static_cast<std::uint16_t>(10 + i), static_cast<std::uint16_t>(5000 + i)));
    if (i % 2 == 0) relay.to.back().srtp = with_key(static_cast<std::uint8_t>(i + 1));
  }
  EXPECT_TRUE(engine.add_relay(std::move(relay)));
  std::vector<Bytes> packets;
  std::vector<IncomingDatagram> batch;
  for (std::uint16_t i = 0; i < 150; ++i) packets.push_back(clear_packet(i));
  for (Bytes& packet : packets) batch.push_back({PortIndex{0}, host(1), packet, false});
  engine.handle_datagrams(kStart, batch);
  Outbox outbox(slots);
  std::vector<std::pair<SocketAddress, Bytes>> sent;
  const auto drain = [&] {
    while (engine.drain(outbox)) {
      EXPECT_LE(outbox.datagrams().size(), slots);
      for (const OutgoingDatagram& datagram : outbox.datagrams()) {
        sent.emplace_back(datagram.destination,
                          Bytes(datagram.bytes.begin(), datagram.bytes.end()));
      }
    }
  };
  drain();
  engine.shut_down(kStart + 1s);
  drain();
  return sent;
}

TEST(Engine, an_outbox_of_any_size_carries_the_same_datagrams) {
  const auto expected = relay_through(Outbox::kDefaultSlots);
  EXPECT_EQ(expected.size(), 7U * 150 + 7 + 1) << "media, BYE to each receiver, BYE to the source";
  for (const std::size_t slots : {1U, 2U, 47U, 48U, 49U, 150U, 4096U}) {
    EXPECT_EQ(relay_through(slots), expected) << slots << " slots";
  }
}

struct Sent {
  std::size_t datagrams = 0;
  std::vector<OutgoingMessage> messages;
  std::vector<Bytes> bytes;  // of the messages, whose own are gone
};

/// The same to receivers of which every other one gets messages.
Sent relay_by_message_through(std::size_t slots) {
  SeededRandom random;
  Engine engine({}, random);
  auto relay = relay_on("a", 0);
  relay.from.channel = ChannelId{99};
  for (std::uint16_t i = 0; i < 6; ++i) {
    relay.to.push_back(receiver_on(static_cast<std::uint16_t>(10 + i), 5000));
    if (i % 2 == 0) relay.to.back().channel = ChannelId{i};
  }
  EXPECT_TRUE(engine.add_relay(std::move(relay)));
  std::vector<Bytes> packets;
  std::vector<IncomingMessage> batch;
  for (std::uint16_t i = 0; i < 50; ++i) packets.push_back(clear_packet(i));
  for (Bytes& packet : packets) batch.push_back({ChannelId{99}, 0, 0, packet});
  engine.handle_messages(kStart, batch);
  Outbox outbox(slots);
  Sent sent;
  const auto drain = [&] {
    while (engine.drain(outbox)) {
      EXPECT_LE(outbox.datagrams().size() + outbox.messages().size(), slots);
      sent.datagrams += outbox.datagrams().size();
      for (const OutgoingMessage& message : outbox.messages()) {
        sent.messages.push_back(message);
        sent.bytes.emplace_back(message.bytes.begin(), message.bytes.end());
      }
    }
  };
  drain();
  engine.shut_down(kStart + 1s);
  drain();
  return sent;
}

TEST(Engine, an_outbox_of_any_size_carries_the_same_messages_those_of_each_channel_together) {
  const Sent expected = relay_by_message_through(Outbox::kDefaultSlots);
  ASSERT_EQ(expected.messages.size(), 3U * 50 + 3 + 1);
  EXPECT_EQ(expected.datagrams, 3U * 50 + 3);
  for (std::size_t i = 0; i < 150; ++i) {
    EXPECT_EQ(expected.messages[i].channel, ChannelId{static_cast<std::uint32_t>(i / 50 * 2)});
    EXPECT_FALSE(expected.messages[i].is_rtcp);
  }
  EXPECT_TRUE(expected.messages.back().is_rtcp);
  for (const std::size_t slots : {1U, 2U, 49U, 50U, 51U, 1024U}) {
    const Sent sent = relay_by_message_through(slots);
    EXPECT_EQ(sent.bytes, expected.bytes) << slots << " slots";
    EXPECT_EQ(sent.datagrams, expected.datagrams);
  }
}

TEST(Engine, counts_what_the_daemon_could_not_take_in) {
  SeededRandom random;
  Engine engine({}, random);
  auto relay = relay_on("a", 0);
  relay.to.push_back(receiver_on(10, 5000));
  ASSERT_TRUE(engine.add_relay(std::move(relay)));
  engine.count_drop(PortIndex{0}, DropReason::oversized);
  engine.count_drop(PortIndex{10}, DropReason::queue_full, 5);
  engine.count_drop(PortIndex{500}, DropReason::oversized, 2);
  EXPECT_EQ(engine.statistics(0).from[0].drops[DropReason::oversized], 1U);
  EXPECT_EQ(engine.statistics(0).to[0].media[0].drops[DropReason::queue_full], 5U);
  EXPECT_EQ(engine.stray_drops()[DropReason::oversized], 2U);
}

TEST(Engine, a_truncated_datagram_is_oversized) {
  SeededRandom random;
  Engine engine({}, random);
  ASSERT_TRUE(engine.add_relay(relay_on("a", 0)));
  Bytes packet = clear_packet(1);
  const IncomingDatagram datagram{PortIndex{0}, host(1), packet, true};
  engine.handle_datagrams(kStart, {&datagram, 1});
  EXPECT_EQ(engine.statistics(0).from[0].drops[DropReason::oversized], 1U);
  EXPECT_EQ(engine.statistics(0).from[0].packets, 0U);
}

TEST(Engine, a_stream_without_receivers_counts_its_packets_as_such) {
  SeededRandom random;
  Engine engine({}, random);
  ASSERT_TRUE(engine.add_relay(relay_on("a", 0)));
  Bytes packet = clear_packet(1);
  const IncomingDatagram datagram{PortIndex{0}, host(1), packet, false};
  engine.handle_datagrams(kStart, {&datagram, 1});
  Outbox outbox;
  EXPECT_FALSE(engine.drain(outbox));
  EXPECT_EQ(engine.statistics(0).from[0].drops[DropReason::no_receiver], 1U);
  EXPECT_EQ(engine.statistics(0).from[0].bytes, 100U);
}

TEST(Engine, events_beyond_the_limit_are_lost_and_counted) {
  SeededRandom random;
  EngineLimits limits;
  limits.events = 2;
  Engine engine(limits, random);
  ASSERT_TRUE(engine.add_relay(relay_on("a", 0)));
  Outbox outbox;
  for (std::uint32_t ssrc = 1; ssrc <= 3; ++ssrc) {
    for (std::uint16_t sequence_number = 1; sequence_number <= 2; ++sequence_number) {
      Bytes packet = clear_packet(sequence_number, ssrc);
      const IncomingDatagram datagram{PortIndex{0}, host(1), packet, false};
      engine.handle_datagrams(kStart, {&datagram, 1});
      while (engine.drain(outbox)) {
      }
    }
  }
  std::vector<Event> events;
  engine.take_events(events);
  EXPECT_EQ(events.size(), 2U);
  EXPECT_EQ(engine.stray_drops()[DropReason::queue_full], 1U);
}

TEST(Engine, limits_of_no_time_at_all_do_not_make_it_spin) {
  SeededRandom random;
  EngineLimits limits;
  limits.report_interval = limits.key_frame_interval = limits.stall = limits.hold = 0s;
  Engine engine(limits, random);
  ASSERT_TRUE(engine.add_relay(relay_on("a", 0)));
  Bytes packet = clear_packet(1);
  const IncomingDatagram datagram{PortIndex{0}, host(1), packet, false};
  engine.handle_datagrams(kStart, {&datagram, 1});
  Outbox outbox;
  Timestamp now = kStart;
  for (int i = 0; i < 10; ++i) {
    while (engine.drain(outbox)) {
    }
    const auto next = engine.next_timeout();
    if (!next) return;
    ASSERT_GT(*next, now);
    engine.handle_timeout(now = *next);
  }
  FAIL() << "the silent track never ends";
}

}  // namespace
}  // namespace runnel::relay
