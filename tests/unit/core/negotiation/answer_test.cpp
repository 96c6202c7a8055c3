#include "core/negotiation/answer.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "core/negotiation/codec_match.h"
#include "core/negotiation/publication.h"
#include "core/negotiation/subscription.h"
#include "tests/unit/core/negotiation/descriptions.h"

namespace runnel::negotiation {
namespace {

using rtp::MediaKind;
using testing::ElementsAre;

Written published(const std::string& text, const PublicationWishes& wishes = {}) {
  const Offer offer = offer_of(text);
  std::vector<AgreedMedium> agreed;
  const auto tracks = choose_publication(offer, wishes).value();
  for (const PublishedTrack& track : tracks) {
    agreed.push_back(track.medium);
  }
  return answer(offer, agreed);
}

Written subscribed(const std::string& text, const std::string& video = "VP8/90000",
                   const std::string& parameters = "") {
  const Offer offer = offer_of(text);
  std::vector<Track> tracks = {{"a", rtp::Codec::parse(MediaKind::audio, "opus/48000/2").value()},
                               {"v", rtp::Codec::parse(MediaKind::video, video).value()}};
  tracks[1].codec.format_parameters = parameters;
  std::vector<AgreedMedium> agreed;
  const Subscription subscription = choose_subscription(offer, tracks).value();
  for (const SubscribedTrack& track : subscription.tracks) {
    agreed.push_back(track.medium);
  }
  return answer(offer, agreed);
}

TEST(Answer, NamesTelephoneEventsBehindTheCodec) {
  const Written written = published(fixture("chromium-sendonly-default"));
  EXPECT_THAT(written.text(), testing::HasSubstr("a=rtpmap:110 telephone-event/48000"));
  EXPECT_THAT(written.text(), testing::HasSubstr(" 111 110\r\n"));
}

TEST(Answer, ToAPublicationOfChromium) {
  const Written answer = published(fixture("chromium-sendonly-default"));
  EXPECT_TRUE(answer.session().has("ice-lite"));
  EXPECT_EQ(answer.session().value("group"), "BUNDLE 0 1");
  EXPECT_TRUE(answer.session().has("extmap-allow-mixed"));
  ASSERT_EQ(answer.media().size(), 2u);

  EXPECT_EQ(answer[0].media, "audio");
  EXPECT_EQ(answer[0].protocol, "UDP/TLS/RTP/SAVPF");
  EXPECT_THAT(answer[0].formats, ElementsAre("111", "110"));
  EXPECT_EQ(answer.value(0, "mid"), "0");
  EXPECT_TRUE(answer.has(0, "recvonly"));
  EXPECT_TRUE(answer.has(0, "rtcp-mux"));
  EXPECT_TRUE(answer.has(0, "rtcp-rsize"));
  EXPECT_TRUE(answer.has(0, "rtpmap:111 opus/48000/2"));
  EXPECT_TRUE(answer.has(0, "fmtp:111 minptime=10;useinbandfec=1"));
  EXPECT_TRUE(answer.has(0, "rtcp-fb:111 transport-cc"));

  EXPECT_THAT(answer[1].formats, ElementsAre("96", "97"));
  EXPECT_TRUE(answer.has(1, "rtpmap:97 rtx/90000"));
  EXPECT_TRUE(answer.has(1, "fmtp:97 apt=96"));
  EXPECT_THAT(answer.values(1, "rtcp-fb"), ElementsAre("96 goog-remb", "96 transport-cc",
                                                       "96 ccm fir", "96 nack", "96 nack pli"));
  EXPECT_TRUE(answer.has(1, "extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid"));
  EXPECT_EQ(answer.values(1, "ssrc").size(), 0u) << "only where we send";
  EXPECT_EQ(answer.values(1, "msid").size(), 0u);
}

TEST(Answer, SaysConnectionAndCertificateInEachMediumAndCandidatesInTheFirst) {
  const Written answer = published(fixture("chromium-sendonly-VP8"));
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(answer.value(i, "ice-ufrag"), "oursides");
    EXPECT_EQ(answer.value(i, "ice-pwd"), "oursides0123456789abcdef");
    EXPECT_EQ(answer.value(i, "fingerprint"), "sha-256 AA:BB");
    EXPECT_EQ(answer.value(i, "setup"), "passive");
    EXPECT_EQ(answer[i].port, 7000) << "of the first candidate by UDP";
    EXPECT_EQ(answer[i].lines[0], (sdp::Line{'c', "IN IP4 192.0.2.1"}));
  }
  EXPECT_EQ(answer.values(0, "candidate").size(), 2u);
  EXPECT_TRUE(answer[0].has("end-of-candidates"));
  EXPECT_EQ(answer.values(1, "candidate").size(), 0u);
}

TEST(Answer, BeginsTheHandshakeOnlyWhenThePeerWaits) {
  const std::string offer = fixture("gst-webrtcbin-pub");
  const auto with_setup = [&](const char* role) {
    return replaced(replaced(offer, "a=setup:actpass", role), "a=setup:actpass", role);
  };
  EXPECT_EQ(published(with_setup("a=setup:passive")).value(0, "setup"), "active");
  EXPECT_EQ(published(with_setup("a=setup:active")).value(0, "setup"), "passive");
  EXPECT_EQ(published(without(offer, "a=setup")).value(0, "setup"), "passive");
}

// RFC 8853 §5.3.2
TEST(Answer, MirrorsSimulcast) {
  for (const char* name : {"chromium-sendonly-simulcast-default", "firefox-sendonly-simulcast-VP9",
                           "chromium-sendonly-simulcast-H264", "firefox-sendonly-simulcast-AV1"}) {
    const Written answer = published(fixture(name));
    EXPECT_THAT(answer.values(1, "rid"), ElementsAre("q recv", "h recv", "f recv")) << name;
    EXPECT_EQ(answer.value(1, "simulcast"), "recv q;h;f") << name;
  }
}

TEST(Answer, KeepsRestrictionsOfRids) {
  const Written answer = published(replaced(fixture("chromium-sendonly-simulcast-VP8"),
                                            "a=rid:h send", "a=rid:h send max-width=640"));
  EXPECT_TRUE(answer.has(1, "rid:h recv max-width=640"));
}

TEST(Answer, WithoutHeaderExtensionForRidsThereIsNoSimulcast) {
  const Written answer =
      published(without(fixture("chromium-sendonly-simulcast-VP8"), "a=extmap:10"));
  EXPECT_EQ(answer.value(1, "simulcast"), "-");
  EXPECT_EQ(answer.values(1, "rid").size(), 0u);
}

// Firefox drops an extension whose direction is not turned round.
TEST(Answer, TurnsDirectionsOfExtensionsRound) {
  const Written answer = published(fixture("firefox-sendonly-simulcast-VP8"));
  EXPECT_TRUE(answer.has(1, "extmap:9/recvonly urn:ietf:params:rtp-hdrext:sdes:rtp-stream-id"));
  EXPECT_TRUE(
      answer.has(1, "extmap:10/recvonly urn:ietf:params:rtp-hdrext:sdes:repaired-rtp-stream-id"));
  EXPECT_TRUE(answer.has(1, "extmap:3 urn:ietf:params:rtp-hdrext:sdes:mid"));
  EXPECT_EQ(answer.text().find("playout-delay"), std::string::npos);
}

TEST(Answer, ToFirefoxDoesNotLimitWhatItSends) {
  const Written answer = published(fixture("firefox-sendonly-VP8"));
  EXPECT_EQ(answer.text().find("max-fs"), std::string::npos);
  EXPECT_TRUE(answer.has(0, "fmtp:109 stereo=1;useinbandfec=1"));
  EXPECT_TRUE(answer.has(0, "rtpmap:109 opus/48000/2"));
}

TEST(Answer, RepeatsProfilesOfH264) {
  const Written answer = published(fixture("obs-whip"));
  EXPECT_TRUE(answer.has(
      1, "fmtp:96 profile-level-id=42e01f;packetization-mode=1;level-asymmetry-allowed=1"));
  EXPECT_EQ(answer.session().value("group"), "BUNDLE 0 1");
  EXPECT_FALSE(answer.session().has("extmap-allow-mixed"));
  EXPECT_FALSE(answer[0].has("rtcp-rsize"));
}

TEST(Answer, ToGStreamerAcceptsBundledMedia) {
  const Written answer = published(fixture("gst-webrtcbin-pub"));
  EXPECT_EQ(answer.session().value("group"), "BUNDLE video0 audio1");
  EXPECT_NE(answer[1].port, 0);
  EXPECT_TRUE(answer.has(1, "rtpmap:111 OPUS/48000/2"));
  EXPECT_TRUE(answer.has(1, "recvonly")) << "to a=sendrecv";
  EXPECT_EQ(answer.values(1, "extmap").size(), 0u);
  EXPECT_EQ(answer.values(1, "fmtp").size(), 0u) << "sprop-... is of what GStreamer sends";
}

TEST(Answer, ToASubscriptionAnnouncesWhatIsSent) {
  const Written answer = subscribed(fixture("chromium-recvonly"));
  EXPECT_TRUE(answer.has(0, "sendonly"));
  EXPECT_TRUE(answer.has(0, "msid:stream track"));
  EXPECT_THAT(answer.values(0, "ssrc"), ElementsAre("1000 cname:name"));
  EXPECT_THAT(answer.values(1, "ssrc"), ElementsAre("1001 cname:name", "1101 cname:name"));
  EXPECT_EQ(answer.value(1, "ssrc-group"), "FID 1001 1101");
  EXPECT_THAT(answer[1].formats, ElementsAre("96", "97"));
  EXPECT_EQ(answer.text().find("rtp-stream-id"), std::string::npos);
}

TEST(Answer, ToASubscriptionHasTheProfileOfThePeer) {
  const Written answer = subscribed(fixture("chromium-recvonly"), "H264/90000",
                                    "profile-level-id=640028;packetization-mode=1");
  EXPECT_TRUE(answer.has(
      1, "fmtp:41 level-asymmetry-allowed=1;packetization-mode=1;profile-level-id=f4001f"));
}

TEST(Answer, RejectsDataChannelsInTheirPlace) {
  for (const char* name : {"chromium-recvonly-data", "firefox-recvonly-data"}) {
    const Written answer = subscribed(fixture(name));
    ASSERT_EQ(answer.media().size(), 3u);
    EXPECT_EQ(answer[2].port, 0);
    EXPECT_EQ(answer[2].media, "application");
    EXPECT_EQ(answer[2].protocol, "UDP/DTLS/SCTP");
    EXPECT_THAT(answer[2].formats, ElementsAre("webrtc-datachannel"));
    EXPECT_EQ(answer.value(2, "mid"), "2");
    EXPECT_EQ(answer.session().value("group"), "BUNDLE 0 1");
  }
}

TEST(Answer, CandidatesMoveWithTheFirstAcceptedMedium) {
  const Written answer = published(
      replaced(fixture("chromium-sendonly-VP8"), "a=group:BUNDLE 0 1", "a=group:BUNDLE 1"));
  EXPECT_EQ(answer[0].port, 0);
  EXPECT_EQ(answer.session().value("group"), "BUNDLE 1");
  EXPECT_EQ(answer.values(1, "candidate").size(), 2u);
}

TEST(Answer, UnusedMediaStayInactive) {
  const Offer offer = offer_of(fixture("chromium-recvonly"));
  const std::vector<Track> video = {
      {"v", rtp::Codec::parse(MediaKind::video, "VP8/90000").value()}};
  const Written written =
      answer(offer, {choose_subscription(offer, video).value().tracks[0].medium});
  EXPECT_TRUE(written.has(0, "inactive"));
  EXPECT_NE(written[0].port, 0);
  EXPECT_THAT(written[0].formats, ElementsAre("111"));
  EXPECT_EQ(written.session().value("group"), "BUNDLE 0 1");
}

TEST(Answer, HasNoBundleThatWasNotOffered) {
  const Written answer =
      published(without(without(fixture("aiortc-offer"), "a=group"), "a=msid-semantic"));
  EXPECT_FALSE(answer.session().has("group"));
}

TEST(Answer, WithoutCandidatesSaysNoDestination) {
  const Offer offer = offer_of(fixture("obs-whip"));
  LocalTransport local = local_transport();
  local.candidates.clear();
  const Written none(write_answer(offer, {}, local, {1, 1}, sdp::Setup::passive));
  EXPECT_EQ(none[0].port, 9);
  EXPECT_EQ(none[0].lines[0], (sdp::Line{'c', "IN IP4 0.0.0.0"}));
  local.candidates = {"1 1 udp 2130706431 2001:db8::1 7000 typ host"};
  const Written ipv6(write_answer(offer, {}, local, {1, 1}, sdp::Setup::passive));
  EXPECT_EQ(ipv6[0].lines[0], (sdp::Line{'c', "IN IP6 2001:db8::1"}));
}

TEST(Answer, ToEveryFixtureCanBeReadAsAnAnswer) {
  for (const char* name :
       {"aiortc-audio-video", "aiortc-offer", "chromium-sendonly-AV1", "chromium-sendonly-H264",
        "chromium-sendonly-VP8", "chromium-sendonly-VP9", "chromium-sendonly-simulcast-AV1",
        "chromium-sendonly-simulcast-H264", "chromium-sendonly-simulcast-VP9",
        "chromium-sendrecv-addTrack", "firefox-sendonly-AV1", "firefox-sendonly-VP9",
        "firefox-sendonly-simulcast-default", "firefox-sendrecv-addTrack", "gst-webrtcbin-pub",
        "obs-whip", "safari-sendonly"}) {
    const Offer offer = offer_of(fixture(name));
    const Written written = published(fixture(name));
    const std::string unlite = without(written.text(), "a=ice-lite");
    const auto read = parse_offer(unlite);
    ASSERT_TRUE(read) << name << ": " << read.error().to_string();
    ASSERT_EQ(read->media.size(), offer.media.size()) << name;
    for (const OfferedMedium& medium : read->media) {
      EXPECT_TRUE(medium.usable) << name;
      EXPECT_EQ(medium.direction, sdp::Direction::recvonly) << name;
      const auto main = [](const PayloadFormat& format) { return is_main(format.codec); };
      EXPECT_EQ(std::ranges::count_if(medium.formats, main), 1) << name;
    }
  }
}

}  // namespace
}  // namespace runnel::negotiation
