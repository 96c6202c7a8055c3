#include "core/negotiation/codec_match.h"

#include <string>

#include <gtest/gtest.h>

#include "core/negotiation/h264_profile.h"

namespace runnel::negotiation {
namespace {

using rtp::Codec;
using rtp::MediaKind;

Codec codec(const std::string& rtpmap, const std::string& parameters = "") {
  const bool is_audio = !rtpmap.ends_with("/90000");
  Codec made = Codec::parse(is_audio ? MediaKind::audio : MediaKind::video, rtpmap).value();
  made.format_parameters = parameters;
  return made;
}

Codec h264(const std::string& profile_level_id, int mode) {
  return codec("H264/90000", "level-asymmetry-allowed=1;packetization-mode=" +
                                 std::to_string(mode) + ";profile-level-id=" + profile_level_id);
}

bool suits(const Codec& sent, const Codec& received) {
  return suitability(sent, received) > 0;
}

TEST(CodecMatch, ParametersAreFoundInAnyOrderAndCase) {
  EXPECT_EQ(format_parameter("minptime=10; UseInbandFec = 1", "useinbandfec"), "1");
  EXPECT_EQ(format_parameter("0-15", "apt"), std::nullopt);
  EXPECT_EQ(format_parameter("apt", "apt"), "");
  EXPECT_EQ(format_parameter("", "apt"), std::nullopt);
}

TEST(CodecMatch, ReceiversLimitsAreNotRepeated) {
  EXPECT_EQ(media_parameters("max-fs=12288;max-fr=60"), "");
  EXPECT_EQ(media_parameters("maxplaybackrate=48000; stereo=1;sprop-stereo=1"),
            "stereo=1;sprop-stereo=1");
  EXPECT_EQ(answered_parameters("sprop-stereo=0;sprop-maxcapturerate=48000;useinbandfec=1"),
            "useinbandfec=1");
}

TEST(CodecMatch, NamesAreComparedWithoutCase) {
  EXPECT_EQ(known_name(codec("OPUS/48000/2")), "opus");
  EXPECT_EQ(known_name(codec("vp8/90000")), "VP8");
  EXPECT_EQ(known_name(codec("L16/48000")), std::nullopt);
  EXPECT_EQ(known_name(codec("opus/16000")), std::nullopt);
  EXPECT_TRUE(suits(codec("opus/48000/2"), codec("OPUS/48000/2")));
}

TEST(CodecMatch, OneChannelNeedsNoMention) {
  EXPECT_TRUE(suits(codec("G722/8000"), codec("G722/8000/1")));
  EXPECT_FALSE(suits(codec("L16/48000/2"), codec("L16/48000/1")));
  EXPECT_TRUE(suits(codec("opus/48000"), codec("opus/48000/2")));
}

TEST(CodecMatch, TelephoneEventsAreKnownButNoTrackOfTheirOwn) {
  EXPECT_TRUE(known_name(codec("telephone-event/48000")));
  EXPECT_FALSE(is_main(codec("telephone-event/48000")));
  EXPECT_TRUE(is_main(codec("PCMA/8000")));
}

TEST(CodecMatch, ProtectionIsNoMedia) {
  EXPECT_EQ(role_of(codec("rtx/90000")), FormatRole::retransmission);
  for (const char* name : {"red/48000/2", "ulpfec/90000", "flexfec-03/90000", "CN/8000"}) {
    EXPECT_EQ(role_of(codec(name)), FormatRole::other) << name;
  }
  EXPECT_EQ(role_of(codec("VP8/90000")), FormatRole::media);
}

// RFC 6184 §8.1, table 5
TEST(CodecMatch, H264ProfilesHaveSeveralNames) {
  EXPECT_EQ(h264_profile("42e01f"), H264Profile::constrained_baseline);
  EXPECT_EQ(h264_profile("4DE01F"), H264Profile::constrained_baseline);
  EXPECT_EQ(h264_profile("58f01f"), H264Profile::constrained_baseline);
  EXPECT_EQ(h264_profile("42001f"), H264Profile::baseline);
  EXPECT_EQ(h264_profile("4d001f"), H264Profile::main);
  EXPECT_EQ(h264_profile("64001f"), H264Profile::high);
  EXPECT_EQ(h264_profile("640c1f"), H264Profile::constrained_high);
  EXPECT_EQ(h264_profile("f4001f"), H264Profile::high_444_predictive);
  for (const char* wrong : {"58001f", "6e001f", "42e0", "42e01fxx", "zzzzzz", "-2e01f"}) {
    EXPECT_EQ(h264_profile(wrong), std::nullopt) << wrong;
  }
}

TEST(CodecMatch, H264NeedsADecoderOfItsProfileOrMore) {
  EXPECT_TRUE(suits(h264("42e01f", 1), h264("42e034", 1))) << "levels may differ";
  EXPECT_TRUE(suits(h264("42e01f", 1), h264("64001f", 1)));
  EXPECT_TRUE(suits(h264("64001f", 1), h264("f4001f", 1))) << "Chromium lists no high profile";
  EXPECT_TRUE(suits(h264("42001f", 1), h264("42e01f", 1))) << "Firefox lists no plain baseline";
  EXPECT_FALSE(suits(h264("64001f", 1), h264("42e01f", 1)));
  EXPECT_FALSE(suits(h264("4d001f", 1), h264("42001f", 1)));
  EXPECT_FALSE(suits(h264("6e001f", 1), h264("42001f", 1)));
  EXPECT_GT(suitability(h264("42e01f", 1), h264("42e01f", 1)),
            suitability(h264("42e01f", 1), h264("42001f", 1)));
}

TEST(CodecMatch, H264SingleNalUnitsSuitEveryModeButNotTheOtherWayRound) {
  EXPECT_TRUE(suits(h264("42e01f", 0), h264("42e01f", 1)));
  EXPECT_FALSE(suits(h264("42e01f", 1), h264("42e01f", 0)));
  EXPECT_FALSE(suits(h264("42e01f", 2), h264("42e01f", 1)));
  EXPECT_GT(suitability(h264("42e01f", 0), h264("42e01f", 0)),
            suitability(h264("42e01f", 0), h264("42e01f", 1)));
}

TEST(CodecMatch, H264ThatSaysNothingIsNotRefused) {
  EXPECT_TRUE(suits(codec("H264/90000"), h264("42e01f", 0)));
  EXPECT_TRUE(suits(h264("64001f", 1), codec("H264/90000")));
  EXPECT_GT(suitability(codec("H264/90000"), h264("42e01f", 1)),
            suitability(codec("H264/90000"), h264("42e01f", 0)));
}

TEST(CodecMatch, Vp9ProfilesMustBeTheSame) {
  EXPECT_TRUE(suits(codec("VP9/90000"), codec("VP9/90000", "profile-id=0")));
  EXPECT_FALSE(suits(codec("VP9/90000", "profile-id=2"), codec("VP9/90000", "profile-id=0")));
}

TEST(CodecMatch, Av1DecodersTakeLowerProfiles) {
  EXPECT_TRUE(suits(codec("AV1/90000"), codec("AV1/90000", "level-idx=5;profile=1;tier=0")));
  EXPECT_FALSE(suits(codec("AV1/90000", "profile=1"), codec("AV1/90000", "profile=0")));
}

TEST(CodecMatch, H265ProfilesMustBeTheSame) {
  EXPECT_TRUE(suits(codec("H265/90000"), codec("H265/90000", "profile-id=1;tier-flag=0")));
  EXPECT_FALSE(suits(codec("H265/90000", "profile-id=2"), codec("H265/90000", "profile-id=1")));
  EXPECT_FALSE(suits(codec("H265/90000", "tier-flag=1"), codec("H265/90000")));
}

}  // namespace
}  // namespace runnel::negotiation
