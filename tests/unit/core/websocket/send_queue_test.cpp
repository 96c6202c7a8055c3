#include "core/websocket/send_queue.h"

#include <deque>

#include <gtest/gtest.h>

#include "tests/unit/core/websocket/wire.h"

namespace runnel::websocket {
namespace {

using test::Bytes;
using test::noise;

constexpr SendQueueLimits kLimits{.max_bytes = 16384, .kept_bytes = 2048};

Admission offer(SendQueue& queue, MessageClass kind, std::size_t size) {
  const Bytes message(size, 0x5a);
  const std::array<ByteView, 1> parts{message};
  return queue.offer(kind, parts);
}

Bytes waiting(const SendQueue& queue) {
  std::array<ByteView, 2> views;
  Bytes bytes;
  for (const ByteView view : std::span(views).first(queue.gather(views))) {
    bytes.insert(bytes.end(), view.begin(), view.end());
  }
  return bytes;
}

TEST(SendQueue, GivesBackWhatWasPutInHoweverItIsTaken) {
  SendQueue queue(kLimits);
  std::deque<std::uint8_t> expected;
  std::minstd_rand random(3);
  for (unsigned round = 0; round < 5000; ++round) {
    const Bytes header = noise(random() % 14, round);
    const Bytes payload = noise(random() % 900, round + 1);
    const std::array<ByteView, 2> parts{header, payload};
    if (queue.offer(MessageClass::signalling, parts) == Admission::accepted) {
      expected.insert(expected.end(), header.begin(), header.end());
      expected.insert(expected.end(), payload.begin(), payload.end());
    }
    ASSERT_EQ(waiting(queue), Bytes(expected.begin(), expected.end()));
    const std::size_t taken = std::min<std::size_t>(random() % 850, queue.size());
    queue.consumed(taken);
    expected.erase(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(taken));
    ASSERT_EQ(queue.size(), expected.size());
    ASSERT_LE(queue.memory(), kLimits.max_bytes);
  }
  EXPECT_GT(queue.counters().overflows, 0u);
}

TEST(SendQueue, CopiesOnlyWhatTheSocketDidNotTake) {
  const Bytes header = noise(4), payload = noise(100);
  const std::array<ByteView, 2> parts{header, payload};
  Bytes whole = header;
  whole.insert(whole.end(), payload.begin(), payload.end());
  for (std::size_t sent = 0; sent <= whole.size(); ++sent) {
    SendQueue queue(kLimits);
    queue.append(MessageClass::media, parts, sent);
    EXPECT_EQ(waiting(queue),
              Bytes(whole.begin() + static_cast<std::ptrdiff_t>(sent), whole.end()));
  }
  SendQueue queue(kLimits);
  queue.append(MessageClass::media, parts, whole.size());
  EXPECT_EQ(queue.memory(), 0u);
}

TEST(SendQueue, RefusesMediaFirstThenStatisticsThenOverflows) {
  SendQueue queue(kLimits);
  EXPECT_EQ(offer(queue, MessageClass::media, 12288), Admission::accepted);
  EXPECT_EQ(offer(queue, MessageClass::media, 1), Admission::refused);
  EXPECT_EQ(queue.size(), 12288u);  // nothing of it, not a part
  EXPECT_EQ(offer(queue, MessageClass::statistics, 2048), Admission::accepted);
  EXPECT_EQ(offer(queue, MessageClass::statistics, 1), Admission::discarded);
  EXPECT_EQ(offer(queue, MessageClass::signalling, 1024), Admission::accepted);
  EXPECT_EQ(offer(queue, MessageClass::signalling, 1), Admission::overflow);
  EXPECT_EQ(offer(queue, MessageClass::control, 1024), Admission::accepted);
  EXPECT_EQ(offer(queue, MessageClass::control, 1), Admission::overflow);
  EXPECT_EQ(queue.size(), kLimits.max_bytes);
  EXPECT_EQ(queue.counters().refused_media, 1u);
  EXPECT_EQ(queue.counters().discarded_statistics, 1u);
  EXPECT_EQ(queue.counters().overflows, 2u);
  EXPECT_EQ(queue.counters().most_bytes, kLimits.max_bytes);

  queue.consumed(12288);
  EXPECT_EQ(offer(queue, MessageClass::media, 1), Admission::accepted);
}

TEST(SendQueue, GivesItsMemoryBackWhenNothingWaits) {
  SendQueue queue(kLimits);
  EXPECT_EQ(queue.memory(), 0u);
  ASSERT_EQ(offer(queue, MessageClass::signalling, 9000), Admission::accepted);
  EXPECT_GE(queue.memory(), 9000u);
  queue.consumed(9000);
  EXPECT_EQ(queue.memory(), 0u);
  ASSERT_EQ(offer(queue, MessageClass::signalling, 100), Admission::accepted);
  queue.consumed(100);
  const std::size_t kept = queue.memory();
  EXPECT_GT(kept, 0u);
  for (int i = 0; i < 100; ++i) {
    ASSERT_EQ(offer(queue, MessageClass::signalling, 100), Admission::accepted);
    queue.consumed(100);
    EXPECT_EQ(queue.memory(), kept);
  }
}

TEST(SendQueue, StaysBoundedBeforeAPeerThatNeverReads) {
  SendQueue queue(kLimits);
  for (int i = 0; i < 10'000; ++i) static_cast<void>(offer(queue, MessageClass::signalling, 200));
  EXPECT_LE(queue.memory(), kLimits.max_bytes);
}

TEST(SendQueue, KnowsWhetherControlFramesWait) {
  SendQueue queue(kLimits);
  ASSERT_EQ(offer(queue, MessageClass::signalling, 10), Admission::accepted);
  EXPECT_FALSE(queue.holds_control());
  ASSERT_EQ(offer(queue, MessageClass::control, 10), Admission::accepted);
  ASSERT_EQ(offer(queue, MessageClass::signalling, 10), Admission::accepted);
  queue.consumed(19);
  EXPECT_TRUE(queue.holds_control());
  queue.consumed(1);
  EXPECT_FALSE(queue.holds_control());
}

}  // namespace
}  // namespace runnel::websocket
