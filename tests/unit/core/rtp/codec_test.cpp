#include "core/rtp/codec.h"

#include <gtest/gtest.h>

namespace runnel::rtp {
namespace {

TEST(Codec, IsParsedAndPrintedAsRtpmap) {
  const auto opus = Codec::parse(MediaKind::audio, "opus/48000/2");
  ASSERT_TRUE(opus.has_value());
  EXPECT_EQ(opus->kind, MediaKind::audio);
  EXPECT_EQ(opus->name, "opus");
  EXPECT_EQ(opus->clock_rate, 48000u);
  EXPECT_EQ(opus->channels, 2);
  EXPECT_EQ(opus->rtpmap(), "opus/48000/2");

  const auto h264 = Codec::parse(MediaKind::video, "H264/90000");
  ASSERT_TRUE(h264.has_value());
  EXPECT_EQ(h264->kind, MediaKind::video);
  EXPECT_EQ(h264->channels, 0);
  EXPECT_TRUE(h264->format_parameters.empty());
  EXPECT_EQ(h264->rtpmap(), "H264/90000");
}

TEST(Codec, KeepsTheLettersOfTheName) {
  for (const char* rtpmap : {"VP8/90000", "telephone-event/8000", "x-GSM.6+a_b/8000/1", "!/1"}) {
    const auto codec = Codec::parse(MediaKind::audio, rtpmap);
    ASSERT_TRUE(codec.has_value()) << rtpmap;
    EXPECT_EQ(codec->rtpmap(), rtpmap);
  }
}

TEST(Codec, HasBoundsOnItsNumbers) {
  const auto is_codec = [](const char* rtpmap) {
    return Codec::parse(MediaKind::audio, rtpmap).has_value();
  };
  EXPECT_FALSE(is_codec("x/0"));
  EXPECT_TRUE(is_codec("x/1"));
  EXPECT_TRUE(is_codec("x/1000000"));
  EXPECT_FALSE(is_codec("x/1000001"));
  EXPECT_FALSE(is_codec("x/99999999999999999999"));
  EXPECT_FALSE(is_codec("x/8000/0"));
  EXPECT_TRUE(is_codec("x/8000/1"));
  EXPECT_TRUE(is_codec("x/8000/255"));
  EXPECT_FALSE(is_codec("x/8000/256"));
}

TEST(Codec, RefusesWhatIsNoRtpmap) {
  for (const char* rtpmap : {"",
                             "/",
                             "opus",
                             "/48000",
                             "opus/",
                             "opus//2",
                             "opus/48000/",
                             "opus/48000/2/",
                             "opus/48000/2/1",
                             "op us/48000",
                             "opus /48000",
                             " opus/48000",
                             "opus/48000 ",
                             "opus/ 48000",
                             "opus/+48000",
                             "opus/-1",
                             "opus/048000",
                             "opus/48k",
                             "opus/0x10",
                             "opus/48000/two",
                             "ö/8000",
                             "a:b/8000",
                             "a=b/8000",
                             "a\"b/8000",
                             "96 opus/48000"}) {
    EXPECT_FALSE(Codec::parse(MediaKind::audio, rtpmap).has_value()) << rtpmap;
  }
}

// RFC 3551 §6, tables 4 and 5.
TEST(StaticPayloadTypes, AreThoseOfRfc3551) {
  const auto rtpmap = [](int payload_type) {
    const auto codec = static_payload_type(static_cast<std::uint8_t>(payload_type));
    return codec ? std::string(to_string(codec->kind)) + " " + codec->rtpmap() : "";
  };
  EXPECT_EQ(rtpmap(0), "audio PCMU/8000");
  EXPECT_EQ(rtpmap(3), "audio GSM/8000");
  EXPECT_EQ(rtpmap(4), "audio G723/8000");
  EXPECT_EQ(rtpmap(5), "audio DVI4/8000");
  EXPECT_EQ(rtpmap(6), "audio DVI4/16000");
  EXPECT_EQ(rtpmap(7), "audio LPC/8000");
  EXPECT_EQ(rtpmap(8), "audio PCMA/8000");
  EXPECT_EQ(rtpmap(9), "audio G722/8000");
  EXPECT_EQ(rtpmap(10), "audio L16/44100/2");
  EXPECT_EQ(rtpmap(11), "audio L16/44100");
  EXPECT_EQ(rtpmap(12), "audio QCELP/8000");
  EXPECT_EQ(rtpmap(13), "audio CN/8000");
  EXPECT_EQ(rtpmap(14), "audio MPA/90000");
  EXPECT_EQ(rtpmap(15), "audio G728/8000");
  EXPECT_EQ(rtpmap(16), "audio DVI4/11025");
  EXPECT_EQ(rtpmap(17), "audio DVI4/22050");
  EXPECT_EQ(rtpmap(18), "audio G729/8000");
  EXPECT_EQ(rtpmap(25), "video CelB/90000");
  EXPECT_EQ(rtpmap(26), "video JPEG/90000");
  EXPECT_EQ(rtpmap(28), "video nv/90000");
  EXPECT_EQ(rtpmap(31), "video H261/90000");
  EXPECT_EQ(rtpmap(32), "video MPV/90000");
  EXPECT_EQ(rtpmap(33), "video MP2T/90000");
  EXPECT_EQ(rtpmap(34), "video H263/90000");
  int assigned = 0;
  for (int payload_type = 0; payload_type < 256; ++payload_type) {
    if (!rtpmap(payload_type).empty()) ++assigned;
  }
  EXPECT_EQ(assigned, 24);
}

}  // namespace
}  // namespace runnel::rtp
