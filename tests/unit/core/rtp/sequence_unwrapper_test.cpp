#include "core/rtp/sequence_unwrapper.h"

#include <gtest/gtest.h>

namespace runnel::rtp {
namespace {

constexpr std::uint64_t kCycle = 65536;

TEST(SequenceUnwrapper, StartsOneCycleUp) {
  SequenceUnwrapper unwrapper;
  EXPECT_FALSE(unwrapper.highest().has_value());
  EXPECT_EQ(unwrapper.peek(5), kCycle + 5);
  EXPECT_EQ(unwrapper.unwrap(0), kCycle);
  EXPECT_EQ(unwrapper.highest(), kCycle);
}

TEST(SequenceUnwrapper, GoesOnThroughManyWraps) {
  SequenceUnwrapper unwrapper;
  std::uint64_t expected = kCycle + 65530;
  for (std::uint32_t i = 0; i < 10 * kCycle; ++i, ++expected) {
    ASSERT_EQ(unwrapper.unwrap(static_cast<std::uint16_t>(expected)), expected);
  }
}

TEST(SequenceUnwrapper, PlacesReorderedPacketsBehindWithoutMovingBack) {
  SequenceUnwrapper unwrapper;
  unwrapper.unwrap(65535);
  EXPECT_EQ(unwrapper.unwrap(2), 2 * kCycle + 2);
  EXPECT_EQ(unwrapper.unwrap(65534), kCycle + 65534);
  EXPECT_EQ(unwrapper.unwrap(1), 2 * kCycle + 1);
  EXPECT_EQ(unwrapper.highest(), 2 * kCycle + 2);
}

TEST(SequenceUnwrapper, HasPlacesBeforeTheFirstPacket) {
  SequenceUnwrapper unwrapper;
  unwrapper.unwrap(0);
  EXPECT_EQ(unwrapper.unwrap(65535), kCycle - 1);
  EXPECT_EQ(unwrapper.unwrap(32768), kCycle - 32768);
  EXPECT_EQ(unwrapper.highest(), kCycle);
}

TEST(SequenceUnwrapper, TakesHalfTheCircleAsBehind) {
  SequenceUnwrapper unwrapper;
  unwrapper.unwrap(1000);
  EXPECT_EQ(unwrapper.peek(1000 + 32767), kCycle + 1000 + 32767);
  EXPECT_EQ(unwrapper.peek(1000 + 32768), kCycle + 1000 - 32768);
  EXPECT_EQ(unwrapper.peek(1000 + 32769), kCycle + 1000 - 32767);
}

TEST(SequenceUnwrapper, PeekingRemembersNothing) {
  SequenceUnwrapper unwrapper;
  unwrapper.unwrap(10);
  EXPECT_EQ(unwrapper.peek(20), kCycle + 20);
  EXPECT_EQ(unwrapper.highest(), kCycle + 10);
}

TEST(SequenceUnwrapper, StartsAfreshAfterAReset) {
  SequenceUnwrapper unwrapper;
  unwrapper.unwrap(65535);
  unwrapper.unwrap(0);
  unwrapper.reset();
  EXPECT_FALSE(unwrapper.highest().has_value());
  EXPECT_EQ(unwrapper.unwrap(7), kCycle + 7);
}

}  // namespace
}  // namespace runnel::rtp
