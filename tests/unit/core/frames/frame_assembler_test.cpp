#include "core/frames/frame_assembler.h"

#include <gtest/gtest.h>

#include "tests/unit/core/frames/packets.h"

namespace runnel::frames {
namespace {

constexpr std::uint32_t kFrame = 3000;  // one thirtieth of a second at 90 kHz

/// A VP8 frame of one packet; the payload says when it is a key frame.
PacketDraft vp8_frame(std::uint16_t sequence_number, std::uint32_t frame, bool key_frame = false) {
  const auto first = static_cast<std::uint8_t>(key_frame ? 0x00 : 0x01);
  return {sequence_number, frame * kFrame, true, {0x10, first, static_cast<std::uint8_t>(frame)}};
}

class Vp8Assembler : public testing::Test {
 protected:
  FrameAssembler assembler_{codec("VP8/90000")};
};

TEST_F(Vp8Assembler, JoinsThePacketsOfAFrameWithoutTheirDescriptors) {
  EXPECT_TRUE(push(assembler_, {10, 0, false, {0x10, 0x00, 1}}).empty());
  EXPECT_TRUE(push(assembler_, {11, 0, false, {0x00, 2}}).empty());
  const auto frames = push(assembler_, {12, 0, true, {0x01, 3}});
  EXPECT_EQ(frames, (std::vector<KeptFrame>{{{0x00, 1, 2, 3}, true, false, 0}}));
}

TEST_F(Vp8Assembler, BeginsWithAKeyFrame) {
  EXPECT_TRUE(assembler_.waiting_for_key_frame());
  EXPECT_TRUE(push(assembler_, vp8_frame(10, 0)).empty());
  EXPECT_EQ(assembler_.statistics().undecodable_frames, 1u);
  EXPECT_EQ(push(assembler_, vp8_frame(11, 1, true)).size(), 1u);
  EXPECT_FALSE(assembler_.waiting_for_key_frame());
  EXPECT_EQ(push(assembler_, vp8_frame(12, 2)).size(), 1u);
}

TEST_F(Vp8Assembler, CountsTimeInMicrosecondsFromTheFirstPacketAcrossTheWrap) {
  assembler_.reset(500'000);
  EXPECT_TRUE(push(assembler_, {10, 0xfffffff0 - 90'000, true, {0x10, 0x01}}).empty());
  auto frames = push(assembler_, {11, 0xfffffff0, true, {0x10, 0x00}});
  EXPECT_EQ(frames.at(0).timestamp_us, 1'500'000u);
  frames = push(assembler_, {12, 0xfffffff0 + 45'000, true, {0x10, 0x01}});
  EXPECT_EQ(frames.at(0).timestamp_us, 2'000'000u);
}

TEST_F(Vp8Assembler, EndsAFrameWithoutMarkerWhenTheNextTimestampComes) {
  EXPECT_TRUE(push(assembler_, {10, 0, false, {0x10, 0x00}}).empty());
  const auto frames = push(assembler_, {11, kFrame, true, {0x10, 0x01}});
  EXPECT_EQ(frames.size(), 2u);
}

TEST_F(Vp8Assembler, PassesOverPacketsOfPaddingOnly) {
  EXPECT_EQ(push(assembler_, vp8_frame(10, 0, true)).size(), 1u);
  EXPECT_TRUE(push(assembler_, {11, 0, false, {}}).empty());
  EXPECT_EQ(push(assembler_, vp8_frame(12, 1)).size(), 1u);
}

TEST_F(Vp8Assembler, WaitsForAKeyFrameAfterALossAndSaysSo) {
  ASSERT_EQ(push(assembler_, vp8_frame(10, 0, true)).size(), 1u);
  EXPECT_TRUE(push(assembler_, vp8_frame(12, 2)).empty()) << "11 may come yet";
  EXPECT_EQ(assembler_.held_packets(), 1u);
  assembler_.flush();
  EXPECT_FALSE(assembler_.next().has_value());
  EXPECT_TRUE(assembler_.waiting_for_key_frame());
  EXPECT_TRUE(push(assembler_, vp8_frame(13, 3)).empty());
  const auto frames = push(assembler_, vp8_frame(14, 4, true));
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_TRUE(frames[0].discontinuity);
  EXPECT_FALSE(push(assembler_, vp8_frame(15, 5)).at(0).discontinuity);
  EXPECT_EQ(assembler_.statistics().lost_packets, 1u);
  EXPECT_EQ(assembler_.statistics().undecodable_frames, 2u);
}

TEST_F(Vp8Assembler, NeedsNoKeyFrameAfterADamagedFrameThatNothingDependsOn) {
  ASSERT_EQ(push(assembler_, vp8_frame(10, 0, true)).size(), 1u);
  EXPECT_TRUE(push(assembler_, {11, kFrame, false, {0x30, 0x01}}).empty());
  EXPECT_TRUE(push(assembler_, {13, kFrame, true, {0x20, 0x01}}).empty());
  assembler_.flush();
  EXPECT_FALSE(assembler_.next().has_value());
  const auto frames = push(assembler_, vp8_frame(14, 2));
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_TRUE(frames[0].discontinuity);
  EXPECT_EQ(assembler_.statistics().broken_frames, 1u);
}

TEST_F(Vp8Assembler, GivesUpAMissingPacketWhenOneAWindowNewerCame) {
  ASSERT_EQ(push(assembler_, vp8_frame(10, 0, true)).size(), 1u);
  // Of one time, so that the window of time does not end the wait.
  for (std::uint16_t i = 12; i < 11 + 64; ++i) {
    EXPECT_TRUE(push(assembler_, {i, kFrame, false, {0x00, 1}}).empty());
  }
  EXPECT_EQ(assembler_.statistics().lost_packets, 0u);
  push(assembler_, {11 + 64, kFrame, false, {0x00, 1}});
  EXPECT_EQ(assembler_.statistics().lost_packets, 1u);
  EXPECT_EQ(push(assembler_, {11, kFrame, false, {0x10, 0x01}}).size(), 0u);
  EXPECT_EQ(assembler_.statistics().late_packets, 1u);
}

TEST_F(Vp8Assembler, WaitsExactlyTheWindowForAPacket) {
  ASSERT_EQ(push(assembler_, vp8_frame(10, 0, true)).size(), 1u);
  for (std::uint16_t i = 12; i < 11 + 64; ++i) push(assembler_, {i, kFrame, false, {0x00, 1}});
  EXPECT_TRUE(push(assembler_, {11, kFrame, false, {0x10, 0x01}}).empty());
  EXPECT_EQ(push(assembler_, {75, kFrame, true, {0x00, 1}}).at(0).bytes.size(), 65u);
}

TEST_F(Vp8Assembler, GivesUpAMissingPacketAfterItsTime) {
  ASSERT_EQ(push(assembler_, vp8_frame(10, 0, true)).size(), 1u);
  for (std::uint16_t i = 2; i < 8; ++i)
    push(assembler_, vp8_frame(static_cast<std::uint16_t>(10 + i), i));
  EXPECT_EQ(assembler_.statistics().lost_packets, 0u) << "166 ms";
  push(assembler_, vp8_frame(18, 8));
  EXPECT_EQ(assembler_.statistics().lost_packets, 1u) << "200 ms";
}

TEST_F(Vp8Assembler, GoesOnAfterAJumpOfTheSequenceNumbersEitherWay) {
  ASSERT_EQ(push(assembler_, vp8_frame(10'000, 0, true)).size(), 1u);
  const auto forward = push(assembler_, vp8_frame(20'000, 1, true));
  ASSERT_EQ(forward.size(), 1u);
  EXPECT_TRUE(forward[0].discontinuity);

  std::vector<KeptFrame> back;
  for (std::uint16_t i = 0; i < 64; ++i) back = push(assembler_, vp8_frame(i, 2u + i, true));
  ASSERT_EQ(back.size(), 1u) << "after a window of packets that all seemed late";
  EXPECT_TRUE(back[0].discontinuity);
}

TEST_F(Vp8Assembler, IgnoresDuplicates) {
  ASSERT_EQ(push(assembler_, vp8_frame(10, 0, true)).size(), 1u);
  EXPECT_TRUE(push(assembler_, vp8_frame(10, 0, true)).empty());
  push(assembler_, vp8_frame(12, 2));
  push(assembler_, vp8_frame(12, 2));
  EXPECT_EQ(assembler_.statistics().late_packets, 2u);
  EXPECT_EQ(push(assembler_, vp8_frame(11, 1)).size(), 2u);
}

TEST_F(Vp8Assembler, DropsAFrameThatBeginsAgainBeforeItEnds) {
  push(assembler_, {10, 0, false, {0x10, 0x00}});
  EXPECT_TRUE(push(assembler_, {11, 0, true, {0x10, 0x00}}).empty());
  EXPECT_EQ(assembler_.statistics().broken_frames, 1u);
}

TEST(FrameAssembler, HoldsAFrameToItsLimitAndNoByteMore) {
  for (const std::size_t size : {100u, 101u}) {
    FrameAssembler assembler(codec("VP8/90000"), {.max_frame_size = 100});
    Bytes payload(size + 1, 0);
    payload[0] = 0x10;
    EXPECT_EQ(push(assembler, {10, 0, true, payload}).size(), size == 100 ? 1u : 0u);
    EXPECT_EQ(assembler.statistics().oversized_frames, size == 100 ? 0u : 1u);
    EXPECT_EQ(assembler.waiting_for_key_frame(), size != 100);
  }
}

TEST(FrameAssembler, TakesAudioPacketByPacket) {
  FrameAssembler assembler(codec("opus/48000/2"));
  EXPECT_EQ(push(assembler, {10, 0, true, {1, 2}}),
            (std::vector<KeptFrame>{{{1, 2}, true, false, 0}}));
  EXPECT_TRUE(push(assembler, {12, 1920, false, {5}}).empty());
  assembler.flush();
  std::vector<KeptFrame> frames;
  drain(assembler, frames);
  EXPECT_EQ(frames, (std::vector<KeptFrame>{{{5}, true, true, 40'000}}));
}

TEST(FrameAssembler, JoinsAllSpatialLayersOfAVp9Picture) {
  FrameAssembler assembler(codec("VP9/90000"));
  EXPECT_TRUE(push(assembler, {1, 0, false, {0xac, 5, 0x00, 0, 0xa0, 0xa1}}).empty());
  // P of the upper layer is clear as well: it is predicted from the lower one alone (D).
  const auto frames = push(assembler, {2, 0, true, {0xac, 5, 0x03, 0, 0xb0}});
  EXPECT_EQ(frames, (std::vector<KeptFrame>{{{0xa0, 0xa1, 0xb0}, true, false, 0}}));
}

TEST(FrameAssembler, WritesEachNalUnitBehindAStartCode) {
  FrameAssembler assembler(codec("H264/90000"));
  push(assembler, {1, 0, false, {0x78, 0, 2, 0x67, 0x42, 0, 2, 0x68, 0xce}});
  push(assembler, {2, 0, false, {0x7c, 0x85, 0x88, 0x01}});
  push(assembler, {3, 0, false, {0x7c, 0x05, 0x02}});
  push(assembler, {4, 0, false, {0x7c, 0x45, 0x03}});
  const auto frames = push(assembler, {5, 0, true, {0x65, 0x20}});
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_TRUE(frames[0].key_frame);
  EXPECT_EQ(frames[0].bytes, (Bytes{0, 0, 0,    1,    0x67, 0x42, 0, 0, 0, 1, 0x68, 0xce, 0,   0,
                                    0, 1, 0x65, 0x88, 1,    2,    3, 0, 0, 0, 1,    0x65, 0x20}));
}

TEST(FrameAssembler, DropsAnAccessUnitWhoseFragmentsDoNotFit) {
  const std::vector<std::vector<Bytes>> broken = {
      {{0x67, 0x42}, {0x7c, 0x05, 1}},                   // no start
      {{0x67, 0x42}, {0x7c, 0x85, 1}},                   // no end
      {{0x67, 0x42}, {0x7c, 0x85, 1}, {0x7c, 0x41, 1}},  // another type
      {{0x67, 0x42}, {0x7c, 0x85, 1}, {0x65, 0x88}},     // a unit between
      {{0x67, 0x42}, {0x7c, 0x85, 1}, {0x7c, 0x85, 1}},  // two starts
      {{0x67, 0x42}, {0x78, 0, 9, 0x65}},                // an aggregate past its end
      {{0x67, 0x42}, {0x78}},                            // an empty aggregate
      {{0x67, 0x42}, {0x7d, 0x85, 1}},                   // FU-B
      {{0x67, 0x42}, {0x78, 0, 3, 0x7c, 0xc5, 1}},       // a fragment within an aggregate
  };
  for (const auto& payloads : broken) {
    FrameAssembler assembler(codec("H264/90000"));
    std::uint16_t sequence_number = 0;
    for (const Bytes& payload : payloads) {
      const bool marker = &payload == &payloads.back();
      EXPECT_TRUE(push(assembler, {sequence_number++, 0, marker, payload}).empty());
    }
    EXPECT_EQ(assembler.statistics().broken_frames, 1u);
  }
}

TEST(FrameAssembler, DoesNotTakeAnAccessUnitForWholeWhoseBeginningMayBeMissing) {
  FrameAssembler assembler(codec("H264/90000"));
  ASSERT_TRUE(push(assembler, {1, 0, true, {0x65, 0x88}}).empty())
      << "parameter sets may be missing";
  ASSERT_EQ(push(assembler, {2, 1 * kFrame, true, {0x67, 0x42}}).size(), 1u);
  push(assembler, {4, 2 * kFrame, true, {0x65, 0x88}});
  assembler.flush();
  EXPECT_FALSE(assembler.next().has_value());
  EXPECT_EQ(assembler.statistics().broken_frames, 2u);
}

TEST(FrameAssembler, TakesAnAccessUnitForWholeWhenTheLostPacketEndedTheOneBefore) {
  FrameAssembler assembler(codec("H264/90000"));
  ASSERT_EQ(push(assembler, {1, 0, true, {0x67, 0x42}}).size(), 1u);
  push(assembler, {2, 1 * kFrame, false, {0x41, 0x9a}});
  push(assembler, {4, 2 * kFrame, true, {0x65, 0x88}});
  assembler.flush();
  const auto frame = assembler.next();
  ASSERT_TRUE(frame.has_value());
  EXPECT_TRUE(frame->key_frame());
  EXPECT_TRUE(frame->discontinuity);
}

// The exercise of the AV1 payload format's working draft: TD SH MD MD(0,0) FH(0,0) TG0(0,0) MD(0,1)
// FH(0,1) TG0(0,1), where the temporal delimiter is left out, and packets end where they like.
TEST(FrameAssembler, GivesObusTheirSizesAndJoinsTheirFragments) {
  const Bytes whole = {0x0a, 2,    0x00, 0x01,                     // sequence header
                       0x2a, 1,    0x11,                           // metadata
                       0x2e, 0x00, 1,    0x22,                     // with extension: layers 0, 0
                       0x1e, 0x00, 2,    0x10, 0x33,               // frame header
                       0x26, 0x00, 4,    0x44, 0x45, 0x46, 0x47};  // tile group
  FrameAssembler assembler(codec("AV1/90000"));
  // N, W=3, and Y: the third OBU, a frame header, ends in the second packet.
  EXPECT_TRUE(push(assembler, {1, 0, false, {0x08, 3, 0x08, 0x00, 0x01, 2, 0x28, 0x11}}).empty());
  EXPECT_TRUE(
      push(assembler, {2, 0, false, {0x60, 3, 0x2c, 0x00, 0x22, 0x1c, 0x00, 0x10}}).empty());
  EXPECT_TRUE(push(assembler, {3, 0, false, {0xc0, 1, 0x33, 3, 0x24, 0x00, 0x44}}).empty());
  const auto frames = push(assembler, {4, 0, true, {0x90, 0x45, 0x46, 0x47}});
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].bytes, whole);
  EXPECT_TRUE(frames[0].key_frame);
}

TEST(FrameAssembler, KeepsSizesOfObusAndLeavesTemporalDelimitersOut) {
  FrameAssembler assembler(codec("AV1/90000"));
  const auto frames =
      push(assembler, {1, 0, true, {0x08, 2, 0x12, 0x00, 3, 0x0a, 0x01, 0x00, 2, 0x30, 0x10}});
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].bytes, (Bytes{0x0a, 0x01, 0x00, 0x32, 0x01, 0x10}));
}

TEST(FrameAssembler, DropsATemporalUnitWhoseObusDoNotFit) {
  const std::vector<std::vector<Bytes>> broken = {
      {{0x18, 0x08, 0x00}, {0x90, 0x30}},  // Z, but nothing was unfinished
      {{0x58, 0x08, 0x00}, {0x10, 0x30}},  // Y, but no continuation
      {{0x58, 0x08, 0x00}},                // Y at the end
      {{0x08, 9, 0x08}},                   // an element past its end
      {{0x18, 0x0a, 0x05, 0x00}},          // a size that is not that of the element
      {{0x18, 0x12, 0x00}},                // nothing but a temporal delimiter
  };
  for (const auto& payloads : broken) {
    FrameAssembler assembler(codec("AV1/90000"));
    std::uint16_t sequence_number = 0;
    for (const Bytes& payload : payloads) {
      const bool marker = &payload == &payloads.back();
      EXPECT_TRUE(push(assembler, {sequence_number++, 0, marker, payload}).empty());
    }
    EXPECT_EQ(assembler.statistics().broken_frames, 1u);
  }
}

TEST(FrameAssembler, IsAsNewAfterAReset) {
  FrameAssembler assembler(codec("VP8/90000"));
  ASSERT_EQ(push(assembler, vp8_frame(10, 5, true)).size(), 1u);
  push(assembler, vp8_frame(12, 7));
  assembler.reset(9);
  EXPECT_EQ(assembler.held_packets(), 0u);
  EXPECT_TRUE(assembler.waiting_for_key_frame());
  const auto frames = push(assembler, vp8_frame(40'000, 90, true));
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].timestamp_us, 9u);
  EXPECT_FALSE(frames[0].discontinuity);
}

}  // namespace
}  // namespace runnel::frames
