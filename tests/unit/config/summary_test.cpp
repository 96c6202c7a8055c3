// What `runneld --check` prints.
#include "config/summary.h"

#include <gtest/gtest.h>

#include "load.h"

namespace runnel::config {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Summary, ShowsEachRelayAsATree) {
  const Loaded loaded = load(with_receivers(
      "      - srtp: {suite: AES_CM_128_HMAC_SHA1_32, key: " + kOtherKey30 +
      ", allow: [10.0.0.0/8, 192.168.0.0/16], media: [{kind: video, payload_type: 97, ssrc: 7, "
      "send: "
      "\"10.0.0.2:6000\", rtcp_mux: true}, {kind: audio, send: \"[fd00::1]:6002\"}]}\n"
      "      - rtp: {media: {kind: audio, send: \"rec.lan:6000\", rtcp_send: \"other.lan:9\", "
      "listen: "
      "\"0.0.0.0:5010\"}}\n"
      "      - srtp: {suite: AES_CM_128_HMAC_SHA1_80, latch: first, keys: [{key: " +
      kKey30 + ", mki: 01}], reply_key: " + kOtherKey30 +
      ", media: {kind: video, listen: \"0.0.0.0:5012\"}}\n"));
  EXPECT_EQ(summary(loaded), R"(media       0.0.0.0:7000, [::]:7000 (UDP)
signalling  127.0.0.1:7080 (TCP)
page        http://127.0.0.1:7080/
tls         none
access      everybody on this machine may do everything
announce    auto
webrtc      by UDP and TCP, a new certificate at each start, publishers up to 8Mbit/s

cam
  from srtp AES_CM_128_HMAC_SHA1_80
    video   VP8/90000     payload type 96  on 0.0.0.0:5004, RTCP on 5005
    audio   opus/48000/2  payload type 111 on 0.0.0.0:5006, RTCP on 5007
  to 1: srtp AES_CM_128_HMAC_SHA1_32, accepts only 10.0.0.0/8 and 192.168.0.0/16
    video   VP8/90000     payload type 97  to 10.0.0.2:6000 with RTCP, pinned SSRC 7
    audio   opus/48000/2  payload type 111 to [fd00::1]:6002, RTCP to 6003
  to 2: rtp, in the clear
    audio   opus/48000/2  payload type 111 to rec.lan:6000, RTCP to other.lan:9, from 0.0.0.0:5010
  to 3: srtp AES_CM_128_HMAC_SHA1_80, with MKI, own key for replies
    video   VP8/90000     payload type 96  to whoever sends first to 0.0.0.0:5012, RTCP on 5013

warning: test.yaml:10: relays[0].to[0].srtp.media[0].ssrc: a pinned SSRC under a configured key: after each restart other packets are encrypted with the same keystream, and who records both can undo the encryption; leave 'ssrc' out to get a random one at each start, or change the key whenever runneld restarts

test.yaml is valid: 1 relay, 3 outputs, 1 warning.
)");
}

TEST(Summary, HoldsNoSecret) {
  const std::string text = summary(
      load(with_receivers("      - srtp: {suite: AES_CM_128_HMAC_SHA1_80, key: " + kOtherKey30 +
                          ", media: {kind: video, send: \"10.0.0.2:6000\"}}\n")));
  EXPECT_THAT(text, Not(HasSubstr(kKey30.substr(0, 6))));
  EXPECT_THAT(text, Not(HasSubstr(kOtherKey30.substr(0, 6))));
}

TEST(Summary, OfNothing) {
  EXPECT_THAT(summary(load("listen: {media: [], signalling: []}\nannounce: []\n")),
              testing::StartsWith("media       nowhere (UDP)\nsignalling  nowhere (TCP)\n"
                                  "announce    nothing\n"
                                  "webrtc      not served: it needs listen.signalling\n"));
}

TEST(Summary, SaysWhereThePageIs) {
  const auto page = [](const std::string& listen) {
    const std::string text =
        summary(load("auth: {open: true}\nlisten: {signalling: " + listen + "}"));
    const std::size_t begin = text.find("page        ") + 12;
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  EXPECT_EQ(page("'0.0.0.0:8080'"), "http://127.0.0.1:8080/");
  EXPECT_EQ(page("['[::]:80', '127.0.0.1:81']"), "http://[::1]:80/");
  EXPECT_EQ(page("'192.0.2.7:7080'"), "http://192.0.2.7:7080/");
}

TEST(Summary, SaysHowBrowsersConnect) {
  const auto webrtc = [](const std::string& yaml, const Fake& fake = {}) {
    const std::string text = summary(load(yaml, fake));
    const std::size_t begin = text.find("webrtc      ") + 12;
    return text.substr(begin, text.find('\n', begin) - begin);
  };
  EXPECT_EQ(webrtc("webrtc: {enabled: false}"), "off");
  EXPECT_EQ(webrtc("listen: {media: []}\nwebrtc: {ice_tcp: false}"),
            "not served: it needs listen.media or ice_tcp");
  EXPECT_THAT(webrtc("listen: {media: []}"), testing::StartsWith("by TCP, "));
  EXPECT_THAT(webrtc("webrtc: {ice_tcp: false}"), testing::StartsWith("by UDP, "));
  const Fake fake{.environment = {}, .files = {{"c.pem", "certificate"}, {"k.pem", "key"}}};
  const std::string all = webrtc(
      "webrtc: {certificate: c.pem, key: k.pem, publisher_bitrate: 2500kbit/s, ice_servers: "
      "[{urls: 'turn:t.example.net', username: u, credential: a-secret}]}",
      fake);
  EXPECT_EQ(all, "by UDP and TCP, certificate c.pem, 1 ICE server, publishers up to 2500kbit/s");
}

}  // namespace
}  // namespace runnel::config
