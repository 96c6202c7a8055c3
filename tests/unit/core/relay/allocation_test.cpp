// The packet path allocates nothing once it is warm.
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "core/rtp/rtcp_writer.h"
#include "core/rtp/rtp_packet.h"
#include "core/srtp/srtp_sender.h"
#include "tests/unit/core/relay/fixture.h"

namespace {

std::size_t allocations = 0;
std::size_t allocated_bytes = 0;
std::ptrdiff_t living = 0;  // allocations that have not been freed

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  ++living;
  allocated_bytes += size;
  const std::size_t rounded = (size + alignment - 1) / alignment * alignment;
  void* memory = std::aligned_alloc(alignment, rounded);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void counted_free(void* memory) noexcept {
  if (memory != nullptr) --living;
  std::free(memory);
}

}  // namespace

void* operator new(std::size_t size) {
  return counted(size, alignof(std::max_align_t));
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  counted_free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
  counted_free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  counted_free(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  counted_free(memory);
}

namespace runnel::relay {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kBurst = 16;
constexpr std::size_t kReceivers = 20;

/// A source and its receivers, half of them clear and every fourth by message, with every buffer
/// made beforehand.
class WarmEngine {
 public:
  WarmEngine() {
    auto relay = relay_on("camera", 0);
    relay.from.srtp = with_key(1);
    for (std::uint16_t i = 0; i < kReceivers; ++i) {
      relay.to.push_back(receiver_on(static_cast<std::uint16_t>(10 + i), 5000));
      if (i % 2 == 0) relay.to.back().srtp = with_key(static_cast<std::uint8_t>(2 + i));
      if (i % 4 == 1) relay.to.back().channel = ChannelId{i};
    }
    EXPECT_TRUE(engine_.add_relay(std::move(relay)));
    batch_.resize(kBurst + 1);
  }

  /// One wake-up: a burst of media and a sender report, all of it delivered; then what is due.
  std::size_t wake_up() {
    now_ += 100ms;
    for (std::size_t i = 0; i < kBurst; ++i) batch_[i] = make_media(slab_.slot(i));
    batch_[kBurst] = make_report(slab_.slot(kBurst));
    engine_.handle_datagrams(now_, batch_);
    std::size_t sent = drain();
    engine_.handle_timeout(now_);
    sent += drain();
    return sent;
  }

 private:
  IncomingDatagram make_media(ByteSpan slot) {
    const rtp::RtpHeader header{.payload_type = 96,
                                .sequence_number = sequence_number_++,
                                .timestamp = {timestamp_},
                                .ssrc = 7,
                                .contributing_sources = {},
                                .extension_profile = std::nullopt,
                                .extension_data = {}};
    const std::size_t size = rtp::write_header(header, slot) + 500;
    timestamp_ += 100;
    return {PortIndex{0}, host(1),
            slot.first(*sender_.protect_in_place(srtp::PacketKind::rtp, slot, size)), false};
  }
  IncomingDatagram make_report(ByteSpan slot) {
    rtp::RtcpWriter writer(slot);
    writer.sender_report({.ssrc = 7, .ntp = {}, .rtp = {timestamp_}});
    const std::size_t size = writer.written().size();
    return {PortIndex{0}, host(1),
            slot.first(*sender_.protect_in_place(srtp::PacketKind::rtcp, slot, size)), false};
  }
  std::size_t drain() {
    std::size_t sent = 0;
    while (engine_.drain(outbox_)) sent += outbox_.datagrams().size() + outbox_.messages().size();
    return sent;
  }

  SeededRandom random_;
  Engine engine_{EngineLimits{}, random_};
  Outbox outbox_;
  PacketSlab slab_{kBurst + 1};
  std::vector<IncomingDatagram> batch_;
  srtp::Sender sender_{make_key(1)};
  Timestamp now_{1h};
  std::uint16_t sequence_number_ = 65000;
  std::uint32_t timestamp_ = 0;
};

TEST(Allocation, thousands_of_packets_need_none_after_the_first_burst) {
  WarmEngine engine;
  EXPECT_GE(engine.wake_up(), kBurst * kReceivers);
  const std::size_t before = allocations;
  std::size_t sent = 0;
  for (int i = 0; i < 500; ++i) sent += engine.wake_up();
  EXPECT_EQ(allocations, before);
  EXPECT_GE(sent, 500 * (kBurst + 1) * kReceivers);
}

/// A stream by message that 20 connections get and that every tenth of them is too slow for.
class WarmMessages {
 public:
  WarmMessages() {
    auto relay = relay_on("camera", 0);
    relay.from.channel = ChannelId{99};
    for (std::uint32_t i = 0; i < kReceivers; ++i) {
      relay.to.emplace_back().channel = ChannelId{i};
      relay.to.back().media.emplace_back();
    }
    EXPECT_TRUE(engine_.add_relay(std::move(relay)));
    batch_.resize(kBurst);
  }

  std::size_t wake_up() {
    now_ += 100ms;
    for (std::size_t i = 0; i < kBurst; ++i) batch_[i] = make_message(slab_.slot(i));
    engine_.handle_messages(now_, batch_);
    std::size_t sent = drain();
    engine_.note_sender_report(now_, 0, 0, {}, {timestamp_});
    engine_.request_key_frame({0, 0, 0});
    sent += drain();
    engine_.handle_timeout(now_);
    return sent + drain();
  }

 private:
  IncomingMessage make_message(ByteSpan slot) {
    const rtp::RtpHeader header{.payload_type = 96,
                                .sequence_number = sequence_number_++,
                                .timestamp = {timestamp_},
                                .ssrc = 7,
                                .contributing_sources = {},
                                .extension_profile = std::nullopt,
                                .extension_data = {}};
    timestamp_ += 100;
    return {ChannelId{99}, 0, 0, slot.first(rtp::write_header(header, slot) + 500)};
  }
  std::size_t drain() {
    std::size_t sent = 0;
    while (engine_.drain(outbox_)) {
      for (const OutgoingMessage& message : outbox_.messages()) {
        if (static_cast<std::uint32_t>(message.channel) % 10 == 0) {
          engine_.handle_send_failure(message.owner, DropReason::slow_reader);
        }
      }
      sent += outbox_.messages().size();
    }
    return sent;
  }

  SeededRandom random_;
  Engine engine_{EngineLimits{}, random_};
  Outbox outbox_;
  PacketSlab slab_{kBurst};
  std::vector<IncomingMessage> batch_;
  Timestamp now_{1h};
  std::uint16_t sequence_number_ = 65000;
  std::uint32_t timestamp_ = 0;
};

TEST(Allocation, messages_need_none_after_the_first_burst) {
  WarmMessages engine;
  EXPECT_GE(engine.wake_up(), kBurst * kReceivers);
  const std::size_t before = allocations;
  std::size_t sent = 0;
  for (int i = 0; i < 500; ++i) sent += engine.wake_up();
  EXPECT_EQ(allocations, before);
  EXPECT_GE(sent, 500 * (kBurst + 1) * kReceivers);
}

/// A stream comes, is watched, taken over and removed again.
void come_and_go(Engine& engine, Timestamp now, Outbox& outbox, std::vector<Event>& events) {
  const auto drain = [&] {
    while (engine.drain(outbox)) {
    }
    events.clear();
    engine.take_events(events);
  };
  auto relay = relay_on("camera", 0);
  relay.from.media[0].ssrc = engine.draw_ssrc();
  relay.from.media[0].ports.rtp = PortIndex{9};
  relay.to.push_back(receiver_on(9, 5000));
  relay.to[0].srtp = with_key(2);
  const std::uint32_t ssrc = *relay.from.media[0].ssrc;
  const std::size_t number = engine.add_relay(std::move(relay)).value();
  std::array<std::uint8_t, 100> packet{0x80, 96};
  store_be32(packet.data() + 8, ssrc);
  const IncomingDatagram datagram{PortIndex{9}, host(1), packet, false};
  engine.handle_datagrams(now, {&datagram, 1});
  drain();
  ReceiverLeg listener;
  listener.channel = ChannelId{1};
  listener.media.emplace_back();
  const std::size_t receiver = engine.add_receiver(number, std::move(listener)).value();
  SourceLeg next;
  next.channel = ChannelId{2};
  next.media.push_back(source_on(0));
  ASSERT_TRUE(engine.replace_source(number, std::move(next)));
  const IncomingMessage message{ChannelId{2}, number, 0, packet};
  drain();
  engine.handle_messages(now, {&message, 1});
  drain();
  engine.remove_receiver(number, receiver);
  engine.remove_relay(number);
  drain();
}

TEST(Allocation, ten_thousand_comings_and_goings_leave_no_memory_behind) {
  SeededRandom random;
  Engine engine({}, random);
  engine.add_shared_port(PortIndex{9});
  Outbox outbox;
  std::vector<Event> events;
  Timestamp now{1h};
  const auto repeat = [&](int times) {
    for (int i = 0; i < times; ++i) come_and_go(engine, now += 10ms, outbox, events);
  };
  repeat(100);
  const std::ptrdiff_t before = living;
  const std::size_t bytes_before = allocated_bytes;
  repeat(100);
  const std::size_t bytes_each = (allocated_bytes - bytes_before) / 100;
  repeat(9'800);
  EXPECT_EQ(living, before);
  EXPECT_LE((allocated_bytes - bytes_before) / 9'900, bytes_each + 16) << "nothing grows";
  EXPECT_EQ(engine.next_timeout(), std::nullopt);
  EXPECT_EQ(engine.relay_count(), 0U);
}

TEST(Allocation, a_receiver_costs_less_than_16_kibibytes) {
  SeededRandom random;
  Engine engine({}, random);
  auto relay = relay_on("camera", 0);
  constexpr std::uint16_t kMany = 1000;
  for (std::uint16_t i = 0; i < kMany; ++i) {
    relay.to.push_back(receiver_on(static_cast<std::uint16_t>(10 + i), 5000));
    relay.to.back().srtp = with_key(static_cast<std::uint8_t>(i));
  }
  std::vector<std::uint8_t> packet(100);
  const rtp::RtpHeader header{.payload_type = 96,
                              .sequence_number = 1,
                              .timestamp = {},
                              .ssrc = 7,
                              .contributing_sources = {},
                              .extension_profile = std::nullopt,
                              .extension_data = {}};
  ASSERT_NE(rtp::write_header(header, packet), 0U);
  Outbox outbox;
  const std::size_t before = allocated_bytes;
  ASSERT_TRUE(engine.add_relay(std::move(relay)));
  const IncomingDatagram datagram{PortIndex{0}, host(1), packet, false};
  engine.handle_datagrams(Timestamp{1h}, {&datagram, 1});
  std::size_t sent = 0;
  while (engine.drain(outbox)) sent += outbox.datagrams().size();
  ASSERT_EQ(sent, kMany);
  EXPECT_LT((allocated_bytes - before) / kMany, 16U * 1024);
  RecordProperty("bytes_per_receiver", static_cast<int>((allocated_bytes - before) / kMany));
}

}  // namespace
}  // namespace runnel::relay
