// What waits for a slow TCP reader: bounded, fresh, whole frames.
#include "daemon/signalling/media_queue.h"

#include <gmock/gmock.h>
#include <numeric>

#include <gtest/gtest.h>

#include "core/transport/stream_framing.h"

namespace runnel::daemon {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

using Bytes = std::vector<std::uint8_t>;

/// RTP of 100 bytes, framed 102, that is told by its owner.
Bytes rtp(std::uint32_t timestamp, std::uint8_t ssrc = 1) {
  Bytes packet(100);
  packet[0] = 0x80;
  packet[1] = 96;
  store_be32(packet.data() + 4, timestamp);
  packet[11] = ssrc;
  return packet;
}
Bytes rtcp() {
  Bytes packet(100);
  packet[0] = 0x80;
  packet[1] = 200;
  return packet;
}

class MediaQueueTest : public testing::Test {
 protected:
  /// What is dropped on this occasion.
  std::vector<std::uint32_t> push(const Bytes& packet, std::uint32_t owner) {
    std::vector<std::uint32_t> dropped;
    queue_.push(now_, packet, owner, dropped);
    return dropped;
  }
  /// The packets that wait whole; one that has left in part is not among them.
  std::size_t count() const {
    transport::FrameReader reader(2'000);
    ByteView bytes = queue_.waiting();
    std::size_t packets = 0;
    while (reader.next(bytes)) ++packets;
    return packets;
  }

  Timestamp now_{1h};
  // Ten packets of media, and two of others.
  MediaQueue queue_{{.media_bytes = 1'020, .all_bytes = 1'224, .age = 500ms}};
};

TEST_F(MediaQueueTest, FramesWhatWaits) {
  EXPECT_THAT(push({1, 2, 3}, 7), IsEmpty());
  EXPECT_THAT(Bytes(queue_.waiting().begin(), queue_.waiting().end()), ElementsAre(0, 3, 1, 2, 3));
  queue_.consumed(2);
  EXPECT_THAT(Bytes(queue_.waiting().begin(), queue_.waiting().end()), ElementsAre(1, 2, 3));
  queue_.consumed(3);
  EXPECT_TRUE(queue_.empty());
}

TEST_F(MediaQueueTest, AsMuchMediaAsItsLimitWaits) {
  for (std::uint32_t i = 0; i < 10; ++i) EXPECT_THAT(push(rtp(i), i), IsEmpty());
  EXPECT_THAT(push(rtp(10), 10), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9));
  EXPECT_EQ(count(), 1u) << "the present is worth more than the past";
}

TEST_F(MediaQueueTest, APacketThatHasBegunToLeaveLeavesWhole) {
  for (std::uint32_t i = 0; i < 10; ++i) EXPECT_THAT(push(rtp(i), i), IsEmpty());
  queue_.consumed(50);
  EXPECT_THAT(push(rtp(10), 10), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  EXPECT_EQ(queue_.waiting().size(), 52u);
}

TEST_F(MediaQueueTest, NothingIsAddedUntilTheQueueIsEmptyAgain) {
  for (std::uint32_t i = 0; i < 10; ++i) EXPECT_THAT(push(rtp(i), i), IsEmpty());
  queue_.consumed(50);
  push(rtp(10), 10);
  EXPECT_THAT(push(rtp(11), 11), ElementsAre(11));
  queue_.consumed(52);
  EXPECT_THAT(push(rtp(12), 12), IsEmpty());
}

TEST_F(MediaQueueTest, MediaDoesNotGetOlderThanItsLimit) {
  EXPECT_THAT(push(rtp(0), 0), IsEmpty());
  now_ += 500ms;
  EXPECT_THAT(push(rtp(1), 1), IsEmpty());
  now_ += 1ms;
  EXPECT_THAT(push(rtp(2), 2), ElementsAre(0, 1));
  EXPECT_EQ(count(), 1u);
}

TEST_F(MediaQueueTest, TheRestOfACutFrameIsDropped) {
  EXPECT_THAT(push(rtp(0), 0), IsEmpty());
  EXPECT_THAT(push(rtp(3'000), 1), IsEmpty());
  now_ += 1s;
  EXPECT_THAT(push(rtp(3'000), 2), ElementsAre(0, 1, 2)) << "its beginning is lost";
  EXPECT_THAT(push(rtp(3'000), 3), ElementsAre(3));
  EXPECT_THAT(push(rtp(3'000, /*ssrc=*/2), 4), IsEmpty()) << "another medium";
  EXPECT_THAT(push(rtp(6'000), 5), IsEmpty());
}

TEST_F(MediaQueueTest, WhatSteersTheConnectionPassesUpToALimitOfItsOwn) {
  for (std::uint32_t i = 0; i < 10; ++i) EXPECT_THAT(push(rtp(i), i), IsEmpty());
  EXPECT_THAT(push(rtcp(), 20), IsEmpty());
  EXPECT_THAT(push(rtcp(), 21), IsEmpty());
  EXPECT_THAT(push(rtcp(), 22), ElementsAre(22));
  EXPECT_THAT(push(rtp(10), 10), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10));
  EXPECT_EQ(count(), 2u) << "the reports are kept";
}

TEST_F(MediaQueueTest, KeepsItsOrderWhileItFlows) {
  MediaQueue queue{MediaQueueLimits{}};
  std::vector<std::uint32_t> dropped;
  Bytes out;
  const auto drain = [&](std::size_t size) {
    const ByteView waiting = queue.waiting();
    const std::size_t taken = std::min(size, waiting.size());
    out.insert(out.end(), waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(taken));
    queue.consumed(taken);
  };
  for (std::uint32_t i = 0; i < 5'000; ++i) {
    queue.push(now_, rtp(i), i, dropped);
    drain(i < 1'000 ? 40 : 110);
  }
  while (!queue.empty()) drain(1'000);
  EXPECT_THAT(dropped, IsEmpty());
  transport::FrameReader reader(2'000);
  ByteView bytes = out;
  std::uint32_t next = 0;
  while (const auto frame = reader.next(bytes)) {
    ASSERT_EQ(load_be32(frame->packet.data() + 4), next++);
  }
  EXPECT_EQ(next, 5'000u);
}

}  // namespace
}  // namespace runnel::daemon
