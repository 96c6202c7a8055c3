#include "core/frames/format.h"

#include <gtest/gtest.h>

#include "tests/unit/core/frames/packets.h"

namespace runnel::frames {
namespace {

TEST(Format, IsFoundByNameWithoutRegardToCase) {
  EXPECT_EQ(format_of(codec("VP8/90000")), Format::vp8);
  EXPECT_EQ(format_of(codec("vp9/90000")), Format::vp9);
  EXPECT_EQ(format_of(codec("h264/90000")), Format::h264);
  EXPECT_EQ(format_of(codec("H265/90000")), Format::h265);
  EXPECT_EQ(format_of(codec("AV1/90000")), Format::av1);
  EXPECT_EQ(format_of(codec("OPUS/48000/2")), Format::opus);
  EXPECT_EQ(format_of(codec("pcmu/8000")), Format::pcmu);
  EXPECT_EQ(format_of(codec("PCMA/8000")), Format::pcma);
  EXPECT_EQ(format_of(codec("G722/8000")), Format::g722);
  EXPECT_EQ(format_of(codec("L16/44100/2")), Format::l16);
}

TEST(Format, OfAnotherCodecIsToldByItsKindAlone) {
  EXPECT_EQ(format_of(codec("JPEG/90000")), Format::other_video);
  EXPECT_EQ(format_of(codec("telephone-event/8000")), Format::other_audio);
  EXPECT_FALSE(supports(codec("JPEG/90000")));
  EXPECT_FALSE(supports(codec("telephone-event/8000")));
  EXPECT_TRUE(is_video(Format::other_video));
  EXPECT_FALSE(is_video(Format::other_audio));
}

TEST(Format, OfVideoNameButAudioKindIsNotThatOfVideo) {
  auto wrong = codec("opus/48000/2");
  wrong.name = "VP8";
  EXPECT_EQ(format_of(wrong), Format::other_audio);
}

TEST(Format, IsNotSupportedWhereNalUnitsAreInterleaved) {
  EXPECT_TRUE(supports(codec("H264/90000")));
  EXPECT_TRUE(supports(codec("H264/90000", "profile-level-id=42e01f; packetization-mode=1")));
  EXPECT_FALSE(supports(codec("H264/90000", "profile-level-id=42e01f; packetization-mode=2")));
  EXPECT_TRUE(supports(codec("H265/90000", "sprop-max-don-diff=0")));
  EXPECT_FALSE(supports(codec("H265/90000", "level-id=93;sprop-max-don-diff=2")));
}

}  // namespace
}  // namespace runnel::frames
