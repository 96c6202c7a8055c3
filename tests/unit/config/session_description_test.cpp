// What `runneld --sdp` prints.
#include "config/session_description.h"

#include <gtest/gtest.h>

#include "load.h"

namespace runnel::config {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string sdp(const std::string& receivers, std::size_t output = 0) {
  const auto text = session_description(load(with_receivers(receivers)).config, "cam", output);
  return text ? *text : "refused: " + text.error();
}

TEST(SessionDescription, HoldsWhatAReceiverNeeds) {
  EXPECT_EQ(
      sdp("      - srtp: {suite: AES_CM_128_HMAC_SHA1_80, key: " + kKey30 +
          ", media: [{kind: video, payload_type: 97, send: \"10.0.0.2:6000\", rtcp_mux: true},"
          " {kind: audio, ssrc: 7, send: \"10.0.0.2:6002\"}]}\n"),
      "v=0\r\n"
      "o=- 1 1 IN IP4 10.0.0.2\r\n"
      "s=cam\r\n"
      "t=0 0\r\n"
      "a=recvonly\r\n"
      "m=video 6000 RTP/SAVP 97\r\n"
      "c=IN IP4 10.0.0.2\r\n"
      "a=rtpmap:97 VP8/90000\r\n"
      "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:" +
          kKey30 +
          "\r\n"
          "a=rtcp-mux\r\n"
          "m=audio 6002 RTP/SAVP 111\r\n"
          "c=IN IP4 10.0.0.2\r\n"
          "a=rtpmap:111 opus/48000/2\r\n"
          "a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:" +
          kKey30 +
          "\r\n"
          "a=rtcp:6003 IN IP4 10.0.0.2\r\n"
          "a=ssrc:7 cname:runnel\r\n");
}

TEST(SessionDescription, OfPlainRtpHasNoKey) {
  const std::string text = sdp("      - rtp: {media: {kind: audio, send: \"[fd00::1]:6000\"}}\n");
  EXPECT_THAT(text, HasSubstr("m=audio 6000 RTP/AVP 111\r\nc=IN IP6 fd00::1\r\n"));
  EXPECT_THAT(text, Not(HasSubstr("a=crypto")));
}

TEST(SessionDescription, CarriesFormatParameters) {
  const Loaded loaded = load(with_source(
      "rtp: {allow: 10.0.0.1, media: {kind: video, payload_type: 96, codec: H264/90000, fmtp: "
      "\"packetization-mode=1\", listen: \"0.0.0.0:5004\"}}"));
  EXPECT_THAT(*session_description(loaded.config, "cam", 0),
              HasSubstr("a=rtpmap:96 H264/90000\r\na=fmtp:96 packetization-mode=1\r\n"));
}

TEST(SessionDescription, KeysOfEveryLengthComeBackAsTheyWere) {
  for (const auto& [suite, key] :
       {std::pair{"AEAD_AES_128_GCM", kKey28},
        std::pair{"AES_256_CM_HMAC_SHA1_80", std::string(61, 'B') + "A=="},
        std::pair{"AEAD_AES_256_GCM", std::string(58, 'B') + "A="}}) {
    EXPECT_THAT(sdp(std::string("      - srtp: {suite: ") + suite + ", key: \"" + key +
                    "\", media: {kind: video, send: \"10.0.0.2:6000\"}}\n"),
                HasSubstr(std::string("a=crypto:1 ") + suite + " inline:" + key + "\r\n"));
  }
}

TEST(SessionDescription, AnMkiIsANumberWithItsLength) {
  const auto with_mki = [](const std::string& mki) {
    return sdp("      - srtp: {suite: AES_CM_128_HMAC_SHA1_80, key: " + kKey30 + ", mki: \"" + mki +
               "\", media: {kind: video, send: \"10.0.0.2:6000\"}}\n");
  };
  EXPECT_THAT(with_mki("0x01"), HasSubstr(kKey30 + "|1:1\r\n"));
  EXPECT_THAT(with_mki("00000100"), HasSubstr(kKey30 + "|256:4\r\n"));
  EXPECT_THAT(with_mki("ffffffffffffffffff"), HasSubstr(kKey30 + "|4722366482869645213695:9\r\n"));
}

TEST(SessionDescription, MulticastSaysHowFarItReaches) {
  EXPECT_THAT(sdp("      - rtp: {media: {kind: audio, send: \"239.1.2.3:6000\"}}\n"),
              HasSubstr("c=IN IP4 239.1.2.3/1\r\n"));
}

TEST(SessionDescription, SaysWhyThereIsNone) {
  const std::string receivers =
      "      - rtp: {media: {kind: audio, send: \"10.0.0.2:6000\"}}\n"
      "      - rtp: {latch: first, allow: 10.0.0.0/8, media: {kind: audio, listen: "
      "\"0.0.0.0:5010\"}}\n";
  EXPECT_THAT(sdp(receivers, 1), HasSubstr("output 2 of 'cam' learns the receiver's address"));
  EXPECT_EQ(sdp(receivers, 2),
            "refused: stream 'cam' has no output 3; it has 2 outputs, counted from 1");
  const Config config = load(with_receivers(receivers)).config;
  EXPECT_EQ(session_description(config, "cma", 0).error(),
            "there is no stream named 'cma'; did you mean 'cam'?");
  EXPECT_EQ(session_description({}, "cam", 0).error(),
            "there is no stream named 'cam'; the configuration has no relays");
}

TEST(SessionDescription, OutputsAreNamedByStreamAndNumber) {
  EXPECT_EQ(parse_output_name("cam")->stream, "cam");
  EXPECT_EQ(parse_output_name("cam")->output, 0u);
  EXPECT_EQ(parse_output_name("cam/1")->output, 0u);
  EXPECT_EQ(parse_output_name("cam/12")->stream, "cam");
  EXPECT_EQ(parse_output_name("cam/12")->output, 11u);
  for (const char* text :
       {"cam/", "cam/0", "cam/00", "cam/x", "cam/1/2", "cam/-1", "cam/99999999999999999999"}) {
    EXPECT_FALSE(parse_output_name(text)) << text;
  }
}

}  // namespace
}  // namespace runnel::config
