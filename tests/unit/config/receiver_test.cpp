// Where a stream goes: the leg and its media.
#include <gtest/gtest.h>

#include "load.h"

namespace runnel::config {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(Receiver, AReceiverMayBeLatched) {
  const Loaded loaded = load(with_receivers(
      "      srtp: {suite: AES_CM_128_HMAC_SHA1_80, key: " + kOtherKey30 +
      ", latch: first, media: {kind: video, listen: \"0.0.0.0:5010\", rtcp_mux: true}}\n"));
  ASSERT_THAT(loaded.config.relays, SizeIs(1));
  const ReceiverLeg& leg = loaded.config.relays[0].to.at(0);
  EXPECT_TRUE(leg.latch_first);
  EXPECT_EQ(leg.media[0].send, std::nullopt);
  EXPECT_EQ(leg.media[0].rtcp_destination(), std::nullopt);
  EXPECT_THAT(errors_of(with_receivers("      rtp: {latch: first, allow: 10.0.0.0/8, media: {kind: "
                                       "video, listen: \"0.0.0.0:5010\"}}\n")),
              IsEmpty())
      << "plain RTP with an allow list";
}

TEST(Receiver, SaysWhatToWriteInstead) {
  const std::pair<const char*, const char*> cases[] = {
      {"rtp: {media: {kind: video}}",
       "media: 'send' is missing; add the receiver's HOST:PORT, or latch: first"},
      {"rtp: {media: {send: \"10.0.0.1:6000\"}}",
       "does not say which medium; add kind: audio, kind: video, or source: NAME"},
      {"rtp: {media: {source: vidio, send: \"10.0.0.1:6000\"}}",
       "source: the source has no medium named 'vidio'; did you mean 'video'?"},
      {"rtp: {media: {source: audio, kind: video, send: \"10.0.0.1:6000\"}}",
       "source: 'audio' is no video"},
      {"rtp: {media: {kind: video, codec: VP8/90000, send: \"10.0.0.1:6000\"}}",
       "unknown key 'codec'; it belongs in an entry of from's media"},
      {"rtp: {media: {kind: video, send: \"10.0.0.1:6000\", rtcp_mux: true, rtcp_send: "
       "\"10.0.0.1:6001\"}}",
       "rtcp_send: stands beside rtcp_mux: true"},
      {"rtp: {media: {kind: video, send: \"10.0.0.1:65535\"}}",
       "send: leaves no next port for RTCP; add rtcp_mux: true or rtcp_send"},
      {"rtp: {media: {kind: video, send: \"10.0.0.1:6000\", listen: \"[::]:5010\"}}",
       "listen: is of another address family than 'send'"},
      {"rtp: {media: {kind: video, send: \"10.0.0.1:6000\", rtcp_send: \"[fd00::1]:6001\"}}",
       "rtcp_send: is of another address family than 'send', which goes out by IPv4; use IPv4 for "
       "both, or IPv6 for both"},
      {"rtp: {media: {kind: video, send: \"a.lan:6000\", listen: \"[::]:5010\", rtcp_send: "
       "\"10.0.0.1:6001\"}}",
       "rtcp_send: is of another address family than 'send', which goes out by IPv6"},
      {"rtp: {media: []}", "media: is an empty list; give 1 to 16 (limits.media_per_leg)"},
      {"rtp: {}", "rtp: 'media' is missing; add a list"},
      {"rtp: {suite: x, media: {kind: video, send: \"10.0.0.1:6000\"}}",
       "unknown key 'suite'; it belongs in to.srtp"},
      {"rtp: {allow: [], media: {kind: video, send: \"10.0.0.1:6000\"}}",
       "allow: is an empty list, which would allow nobody"},
      {"rtp: {allow: 10.0.0.1/8, media: {kind: video, send: \"10.0.0.1:6000\"}}",
       "write \"10.0.0.0/8\" for the network"},
      {"rtp: {latch: frist, media: {kind: video, listen: \"0.0.0.0:5010\"}}",
       "latch: 'frist' is not known here; did you mean 'first'?"},
      {"rtp: {latch: first, media: {kind: video, listen: \"0.0.0.0:5010\"}}",
       "latch: on plain RTP nothing is authenticated"},
      {"rtp: {latch: first, allow: 10.0.0.1, media: {kind: video}}",
       "'listen' is missing, which a leg with latch needs"},
      {"rtp: {latch: first, allow: 10.0.0.1, media: {kind: video, listen: \"0.0.0.0:5010\", send: "
       "\"10.0.0.1:6000\"}}",
       "send: stands beside 'latch'"},
      {"websocket: {}", "unknown key 'websocket'"},
      {"{rtp: {media: {kind: video, send: \"10.0.0.1:6000\"}}, srtp: {}}",
       "has both 'srtp' and 'rtp'"},
  };
  for (const auto& [receiver, expected] : cases) {
    const auto errors = errors_of(with_receivers("      - " + std::string(receiver) + "\n"));
    ASSERT_THAT(errors, testing::Not(IsEmpty())) << receiver;
    EXPECT_THAT(errors.front(),
                AllOf(HasSubstr("test.yaml:10: relays[0].to[0]"), HasSubstr(expected)))
        << receiver;
  }
}

TEST(Receiver, AMediumThatTheSourceLacksIsAnError) {
  EXPECT_THAT(errors_of(with_source("rtp: {allow: 10.0.0.1, media: {kind: audio, payload_type: 0, "
                                    "listen: \"0.0.0.0:5004\"}}")),
              ElementsAre(HasSubstr("test.yaml:5: relays[0].to.rtp.media.kind: the source has no "
                                    "video; add it to from's media, or remove it here; the source "
                                    "has audio")));
}

TEST(Receiver, NeedsASharedPortOfItsFamily) {
  const std::string receivers = "      - rtp: {media: {kind: video, send: \"[fd00::1]:6000\"}}\n";
  EXPECT_THAT(errors_of("listen: {media: \"0.0.0.0:7000\"}\n" + with_receivers(receivers)),
              ElementsAre(HasSubstr("send: no address in listen.media can send to IPv6; add "
                                    "\"[::]:7000\" there, or 'listen' here")));
  EXPECT_THAT(
      errors_of("listen: {media: []}\n" +
                with_receivers("      - rtp: {media: {kind: video, send: \"a.lan:6000\"}}\n")),
      ElementsAre(HasSubstr("send: has no port to be sent from, as listen.media is an empty list; "
                            "add \"0.0.0.0:7000\" there, or 'listen' here")));
}

TEST(Receiver, MaySendRtcpElsewhereInTheSameFamily) {
  for (const char* media :
       {"send: \"10.0.0.1:6000\", rtcp_send: \"10.0.0.2:7001\"",
        "send: \"[fd00::1]:6000\", rtcp_send: \"[fd00::2]:7001\"",
        "send: \"a.lan:6000\", rtcp_send: \"10.0.0.2:7001\"",
        "send: \"10.0.0.1:6000\", rtcp_send: \"a.lan:7001\"",
        "send: \"a.lan:6000\", listen: \"[::]:5010\", rtcp_send: \"[fd00::2]:7001\""}) {
    EXPECT_THAT(errors_of(with_receivers("      - rtp: {media: {kind: video, " +
                                         std::string(media) + "}}\n")),
                IsEmpty())
        << media;
  }
}

TEST(Receiver, DocumentationAddressesAndOddPortsAreWarnings) {
  EXPECT_THAT(
      warnings_of(
          with_receivers("      - rtp: {media: {kind: video, send: \"198.51.100.9:6001\"}}\n")),
      ElementsAre(HasSubstr("only appears in documentation"), HasSubstr("RTP to an odd port")));
}

}  // namespace
}  // namespace runnel::config
