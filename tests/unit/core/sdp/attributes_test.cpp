// What attributes mean, and that they are written as they were read.
#include <string>

#include <gtest/gtest.h>

#include "core/sdp/direction.h"
#include "core/sdp/media_attributes.h"
#include "core/sdp/read.h"
#include "core/sdp/transport_attributes.h"

namespace runnel::sdp {
namespace {

/// Read and written again; "-" when it is refused.
template <typename T>
std::string again(std::string_view value) {
  const auto parsed = T::parse(value);
  return parsed ? std::string(parsed->to_string()) : "-";
}

TEST(Attributes, RtpMap) {
  EXPECT_EQ(again<RtpMap>("111 opus/48000/2"), "111 opus/48000/2");
  EXPECT_EQ(again<RtpMap>("127 VP8/90000"), "127 VP8/90000");
  EXPECT_EQ(again<RtpMap>("128 VP8/90000"), "-");
  EXPECT_EQ(again<RtpMap>("96"), "-");
  EXPECT_EQ(again<RtpMap>("96 VP8 90000"), "-");
}

TEST(Attributes, FormatParameters) {
  EXPECT_EQ(again<FormatParameters>("97 apt=96"), "97 apt=96");
  EXPECT_EQ(again<FormatParameters>("101 0-15"), "101 0-15");
  EXPECT_EQ(again<FormatParameters>("x apt=96"), "-");
}

TEST(Attributes, RtcpFeedback) {
  EXPECT_EQ(again<RtcpFeedback>("96 nack pli"), "96 nack pli");
  EXPECT_EQ(again<RtcpFeedback>("* ccm fir"), "* ccm fir");
  EXPECT_EQ(again<RtcpFeedback>("96"), "-");
  EXPECT_EQ(again<RtcpFeedback>("1000 nack"), "-");
}

// RFC 8285 §5 and §7
TEST(Attributes, ExtensionMap) {
  EXPECT_EQ(again<ExtensionMap>("4 urn:ietf:params:rtp-hdrext:sdes:mid"),
            "4 urn:ietf:params:rtp-hdrext:sdes:mid");
  EXPECT_EQ(again<ExtensionMap>("2/sendrecv http://example.com/082005/ext.htm#xmeta short"),
            "2/sendrecv http://example.com/082005/ext.htm#xmeta short");
  EXPECT_EQ(ExtensionMap::parse("9/sendonly urn:x")->direction, Direction::sendonly);
  EXPECT_EQ(again<ExtensionMap>("255 urn:x"), "255 urn:x");
  EXPECT_EQ(again<ExtensionMap>("4096 urn:x"), "4096 urn:x");
  for (const std::string wrong :
       {"0 urn:x", "256 urn:x", "4095 urn:x", "4352 urn:x", "1", "1/ urn:x", "1/upwards urn:x"}) {
    EXPECT_EQ(again<ExtensionMap>(wrong), "-") << wrong;
  }
}

TEST(Attributes, Sources) {
  EXPECT_EQ(again<SourceAttribute>("4294967295 cname:a b:c"), "4294967295 cname:a b:c");
  EXPECT_EQ(again<SourceAttribute>("4294967296 cname:x"), "-");
  EXPECT_EQ(again<SourceAttribute>("1 :x"), "-");
  EXPECT_EQ(again<SourceAttribute>("1 m :"), "1 m");
  EXPECT_EQ(again<SourceAttribute>("1 m : x"), "1 m: x");
  EXPECT_EQ(again<SourceGroup>("FID 1 2"), "FID 1 2");
  EXPECT_EQ(again<SourceGroup>("FID 1 two"), "-");
  EXPECT_EQ(again<MediaStreamId>("{a-b} {c}"), "{a-b} {c}");
  EXPECT_EQ(again<MediaStreamId>("-"), "-");
  EXPECT_EQ(MediaStreamId::parse("one two three"), std::nullopt);
  EXPECT_EQ(MediaStreamId::parse(""), std::nullopt);
}

TEST(Attributes, Rid) {
  EXPECT_EQ(again<Rid>("h send"), "h send");
  EXPECT_EQ(again<Rid>("1 recv pt=97,98;max-width=1280"), "1 recv pt=97,98;max-width=1280");
  EXPECT_EQ(again<Rid>("h both"), "-");
  EXPECT_EQ(again<Rid>("h! send"), "-");
}

// RFC 8853 §5.1 and its examples
TEST(Attributes, Simulcast) {
  EXPECT_EQ(again<Simulcast>("send q;h;f"), "send q;h;f");
  EXPECT_EQ(again<Simulcast>("recv 1;~4 send 6;7"), "send 6;7 recv 1;~4");
  EXPECT_EQ(again<Simulcast>("send 1,~4;3"), "send 1,~4;3");
  const auto simulcast = Simulcast::parse("send 1,~4;3 recv c");
  ASSERT_TRUE(simulcast);
  EXPECT_EQ(simulcast->send[0][1], (Simulcast::Alternative{"4", true}));
  for (const std::string wrong : {"", "send", "send ;", "send 1;", "send 1 send 2", "both 1"}) {
    EXPECT_EQ(again<Simulcast>(wrong), "-") << wrong;
  }
}

TEST(Attributes, Group) {
  EXPECT_EQ(again<Group>("BUNDLE audio0 video1"), "BUNDLE audio0 video1");
  EXPECT_EQ(again<Group>("BUNDLE"), "BUNDLE");
  EXPECT_EQ(again<Group>(""), "-");
}

TEST(Attributes, Fingerprint) {
  EXPECT_EQ(again<FingerprintText>("sha-256 4A:ad:00"), "sha-256 4A:ad:00");
  for (const std::string wrong : {"sha-256", "sha-256 4A:AD:", "sha-256 4AAD", "sha-256 4A:XY"}) {
    EXPECT_EQ(again<FingerprintText>(wrong), "-") << wrong;
  }
}

TEST(Attributes, Directions) {
  EXPECT_EQ(parse_direction("recvonly"), Direction::recvonly);
  EXPECT_EQ(parse_direction("both"), std::nullopt);
  EXPECT_EQ(reversed(Direction::sendonly), Direction::recvonly);
  EXPECT_EQ(reversed(Direction::sendrecv), Direction::sendrecv);
  EXPECT_EQ(parse_setup("actpass"), Setup::actpass);
  EXPECT_EQ(parse_setup("ACTPASS"), std::nullopt);
}

TEST(Attributes, IceCredentialsHaveLimits) {
  EXPECT_FALSE(is_ice_ufrag("abc"));
  EXPECT_TRUE(is_ice_ufrag("ab+/"));
  EXPECT_FALSE(is_ice_ufrag("ab:c"));
  EXPECT_TRUE(is_ice_ufrag(std::string(256, 'a')));
  EXPECT_FALSE(is_ice_ufrag(std::string(257, 'a')));
  EXPECT_FALSE(is_ice_password(std::string(21, 'a')));
  EXPECT_TRUE(is_ice_password(std::string(22, 'a')));
  EXPECT_FALSE(is_ice_password(std::string(257, 'a')));
}

TEST(Attributes, CandidatesMayHaveNamesForAddresses) {
  const auto fields = CandidateFields::parse(
      "842163049 1 udp 2113937151 2c0ca1ad-7ad5-4a7f.local 56143 typ host generation 0");
  ASSERT_TRUE(fields);
  EXPECT_EQ(fields->address, "2c0ca1ad-7ad5-4a7f.local");
  EXPECT_EQ(fields->port, 56143);
  EXPECT_FALSE(CandidateFields::parse("1 1 udp 2113937151 192.0.2.1 5000 host"));
}

TEST(Attributes, AnErrorNamesTheLineAndTheForm) {
  const auto map = read<RtpMap>(Line{'a', "rtpmap:96 VP8 90000", 12});
  ASSERT_FALSE(map);
  EXPECT_EQ(
      map.error().to_string(),
      "line 12: a=rtpmap must be \"PAYLOAD-TYPE NAME/CLOCK-RATE[/CHANNELS]\", and is \"96 VP8 "
      "90000\".");
}

}  // namespace
}  // namespace runnel::sdp
