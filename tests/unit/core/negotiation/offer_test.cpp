#include "core/negotiation/offer.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "tests/unit/core/negotiation/descriptions.h"

namespace runnel::negotiation {
namespace {

using rtp::ExtensionKind;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names_in(const OfferedMedium& medium) {
  std::vector<std::string> names;
  for (const PayloadFormat& format : medium.formats) names.push_back(format.codec.rtpmap());
  return names;
}

TEST(Offer, OfChromium) {
  const Offer offer = offer_of(fixture("chromium-sendonly-VP8"));
  ASSERT_EQ(offer.media.size(), 2u);
  EXPECT_TRUE(offer.bundle);
  EXPECT_EQ(offer.transport.setup, sdp::Setup::actpass);
  EXPECT_EQ(offer.transport.fingerprints.size(), 1u);

  const OfferedMedium& audio = offer.media[0];
  EXPECT_EQ(audio.kind, rtp::MediaKind::audio);
  EXPECT_EQ(audio.mid, "0");
  EXPECT_TRUE(audio.usable);
  EXPECT_TRUE(audio.mixed_extensions);
  EXPECT_TRUE(audio.reduced_size_rtcp);
  EXPECT_THAT(names_in(audio), ElementsAre("opus/48000/2", "G722/8000", "PCMU/8000", "PCMA/8000",
                                           "telephone-event/48000", "telephone-event/8000"));

  const OfferedMedium& video = offer.media[1];
  EXPECT_EQ(video.direction, sdp::Direction::sendonly);
  EXPECT_EQ(video.formats[0].codec.name, "VP8");
  EXPECT_EQ(video.formats[0].payload_type, 96);
  EXPECT_EQ(video.formats[0].retransmission_payload_type, 97);
  EXPECT_EQ(video.formats[0].feedback, (rtp::FeedbackKinds{true, true, true, true, true}));
  EXPECT_EQ(extensions_from_peer(video)[ExtensionKind::mid], 4);
  EXPECT_EQ(extensions_from_peer(video)[ExtensionKind::transport_wide_number], 3);
  ASSERT_EQ(video.ssrcs.size(), 1u);
  EXPECT_TRUE(video.ssrcs[0].retransmission_ssrc);
  EXPECT_FALSE(video.track_id.empty());
}

TEST(Offer, OfChromiumWithSimulcastAnnouncesNoSsrcs) {
  const Offer offer = offer_of(fixture("chromium-sendonly-simulcast-VP8"));
  const OfferedMedium& video = offer.media[1];
  EXPECT_TRUE(video.ssrcs.empty());
  ASSERT_EQ(video.rids.size(), 3u);
  EXPECT_EQ(video.rids[0].id, "q");
  EXPECT_EQ(video.rids[2].id, "f");
  EXPECT_EQ(extensions_from_peer(video)[ExtensionKind::rid], 10);
  EXPECT_EQ(extensions_from_peer(video)[ExtensionKind::repaired_rid], 11);
}

TEST(Offer, OfFirefoxHasAttributesOfTheSession) {
  const Offer offer = offer_of(fixture("firefox-sendonly-VP8"));
  ASSERT_EQ(offer.transport.fingerprints.size(), 1u);
  EXPECT_THAT(offer.transport.fingerprints[0], testing::StartsWith("sha-256 "));
  EXPECT_EQ(offer.media[0].direction, sdp::Direction::sendonly) << "a=sendrecv is of the session";
}

TEST(Offer, ADirectionOfTheSessionIsForMediaThatSayNone) {
  const std::string text = without(fixture("firefox-sendonly-VP8"), "a=sendonly");
  EXPECT_EQ(offer_of(text).media[0].direction, sdp::Direction::sendrecv);
}

TEST(Offer, OfFirefoxSaysInWhichDirectionExtensionsAre) {
  const Offer offer = offer_of(fixture("firefox-sendonly-simulcast-VP8"));
  const OfferedMedium& video = offer.media[1];
  EXPECT_EQ(extensions_from_peer(video)[ExtensionKind::rid], 9);
  EXPECT_EQ(extensions_to_peer(video)[ExtensionKind::rid], 0);
  EXPECT_EQ(extensions_to_peer(video)[ExtensionKind::mid], 3);
  ASSERT_EQ(video.ssrcs.size(), 3u);
  for (const AnnouncedSource& source : video.ssrcs) EXPECT_TRUE(source.retransmission_ssrc);
  EXPECT_EQ(video.stream_id.front(), '{');
}

TEST(Offer, OfFirefoxAnnouncesSsrcsThatItDoesNotSend) {
  const Offer offer = offer_of(fixture("firefox-recvonly"));
  EXPECT_TRUE(offer.media[0].ssrcs.empty());
  EXPECT_TRUE(offer.media[1].ssrcs.empty());
}

TEST(Offer, FeedbackForPayloadTypesThatAreNotThereIsPassedOver) {
  const std::string text = replaced(fixture("firefox-sendonly-VP8"), "a=rtcp-mux\r\n",
                                    "a=rtcp-fb:77 nack\r\na=rtcp-mux\r\n");
  EXPECT_EQ(error_of(text), "");
}

TEST(Offer, FeedbackForAllPayloadTypesIsForEach) {
  const std::string text = replaced(without(fixture("gst-webrtcbin-pub"), "a=rtcp-fb:96 nack"),
                                    "a=framerate:30", "a=rtcp-fb:* nack");
  EXPECT_TRUE(offer_of(text).media[0].formats[0].feedback.nack);
  EXPECT_FALSE(offer_of(text).media[0].formats[0].feedback.picture_loss);
}

TEST(Offer, OfGStreamerBundlesByPortZero) {
  const Offer offer = offer_of(fixture("gst-webrtcbin-pub"));
  ASSERT_EQ(offer.media.size(), 2u);
  EXPECT_TRUE(offer.media[1].usable) << offer.media[1].unusable_because;
  EXPECT_EQ(offer.media[1].formats[0].codec.name, "OPUS");
  EXPECT_TRUE(extensions_from_peer(offer.media[1]).empty());
  EXPECT_EQ(offer.media[0].ssrcs[0].ssrc, 649055462u);
  EXPECT_EQ(offer.media[0].track_id, "webrtctransceiver0") << "from a=ssrc";
}

TEST(Offer, PortZeroWithoutBundleOnlyIsSwitchedOff) {
  const Offer offer = offer_of(without(fixture("gst-webrtcbin-pub"), "a=bundle-only"));
  EXPECT_TRUE(offer.media[0].usable);
  EXPECT_FALSE(offer.media[1].usable);
}

// Its own parser has one table for the connection, and breaks.
TEST(Offer, OfAiortcHasOneIdForTwoExtensions) {
  const Offer offer = offer_of(fixture("aiortc-audio-video"));
  for (const OfferedMedium& medium : offer.media) {
    const auto ids = extensions_to_peer(medium);
    EXPECT_EQ(ids[ExtensionKind::mid], 1);
    EXPECT_EQ(ids[ExtensionKind::audio_level], 0);
    EXPECT_EQ(ids[ExtensionKind::absolute_send_time], 0);
  }
  EXPECT_EQ(extensions_to_peer(
                offer_of(fixture("aiortc-offer")).media[0])[ExtensionKind::absolute_send_time],
            2)
      << "alone, it means one thing";
}

TEST(Offer, OfAiortcTellsOfAConnectionForEachMedium) {
  const std::string text = fixture("aiortc-audio-video");
  EXPECT_EQ(offer_of(text).transport.ufrag, "R24k");
  const std::string unknown =
      replaced(replaced(text, "opus/48000/2", "speex/16000"), "SAVPF 96 0 8", "SAVPF 96");
  EXPECT_EQ(offer_of(unknown).transport.ufrag, "ClA1") << "audio will be rejected";
}

TEST(Offer, IdsMayDifferBetweenMediaOfABundle) {
  const std::string text =
      replaced(fixture("aiortc-audio-video"), "a=extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid",
               "a=extmap:5 urn:ietf:params:rtp-hdrext:sdes:mid");
  const Offer offer = offer_of(text);
  EXPECT_EQ(extensions_to_peer(offer.media[0])[ExtensionKind::mid], 5);
  EXPECT_EQ(extensions_to_peer(offer.media[1])[ExtensionKind::mid], 1);
}

TEST(Offer, OfSafariHasCandidatesByName) {
  const Offer offer = offer_of(fixture("safari-sendonly"));
  EXPECT_THAT(names_in(offer.media[1]),
              ElementsAre("H264/90000", "H264/90000", "H264/90000", "H264/90000", "H265/90000",
                          "VP8/90000", "VP9/90000"));
  EXPECT_EQ(offer.media[1].ssrcs[0], (AnnouncedSource{2887321055, 1345002187}));
}

TEST(Offer, OfObsHasItsConnectionInTheSession) {
  const Offer offer = offer_of(fixture("obs-whip"));
  EXPECT_EQ(offer.transport.ufrag, "zw4q");
  EXPECT_TRUE(offer.media[0].usable && offer.media[1].usable);
  EXPECT_EQ(offer.media[1].ssrcs[0].ssrc, 2763542532u);
  EXPECT_FALSE(offer.media[1].reduced_size_rtcp);
}

TEST(Offer, DataChannelsAreNotUsable) {
  for (const char* name : {"chromium-recvonly-data", "firefox-recvonly-data"}) {
    const Offer offer = offer_of(fixture(name));
    ASSERT_EQ(offer.media.size(), 3u);
    EXPECT_FALSE(offer.media[2].usable);
    EXPECT_FALSE(offer.media[2].kind);
    EXPECT_THAT(offer.media[2].unusable_because, HasSubstr("application UDP/DTLS/SCTP"));
  }
}

TEST(Offer, WhatIsOutsideTheBundleIsNotUsable) {
  const Offer offer = offer_of(
      replaced(fixture("chromium-sendonly-VP8"), "a=group:BUNDLE 0 1", "a=group:BUNDLE 1"));
  EXPECT_FALSE(offer.media[0].usable);
  EXPECT_TRUE(offer.media[1].usable);
}

TEST(Offer, WithoutABundleTheFirstMediumIsTheOnlyOne) {
  const Offer offer = offer_of(without(fixture("chromium-sendonly-VP8"), "a=group"));
  EXPECT_FALSE(offer.bundle);
  EXPECT_TRUE(offer.media[0].usable);
  EXPECT_FALSE(offer.media[1].usable);
  const Offer unmixed =
      offer_of(without(without(fixture("aiortc-offer"), "a=group"), "a=rtcp-mux"));
  EXPECT_FALSE(unmixed.media[0].usable);
}

TEST(Offer, StaticPayloadTypesNeedNoMap) {
  const Offer offer = offer_of(without(fixture("chromium-recvonly"), "a=rtpmap:0 "));
  EXPECT_THAT(names_in(offer.media[0]), testing::Contains("PCMU/8000"));
}

TEST(Offer, ErrorsNameTheLine) {
  const std::string good = fixture("gst-webrtcbin-pub");
  EXPECT_EQ(error_of(replaced(good, "a=rtpmap:96 VP8/90000", "a=rtpmap:96 VP8")),
            "line 15: a=rtpmap must name a codec as NAME/CLOCK-RATE[/CHANNELS], and has \"VP8\".");
  EXPECT_EQ(error_of(replaced(good, "a=framerate:30", "a=rtpmap:96 VP9/90000")),
            "line 20: The payload type 96 is given to two codecs.");
  EXPECT_EQ(error_of(replaced(good, "SAVPF 96", "SAVPF 128")),
            "line 7: The m-line has \"128\", which is no payload type from 0 to 127.");
  EXPECT_EQ(error_of(replaced(good, "a=mid:audio1", "a=mid:video0")),
            "line 40: a=mid:video0 is the MID of another m-line.");
  EXPECT_EQ(error_of(replaced(good, "BUNDLE video0", "BUNDLE video7")),
            "line 6: a=group:BUNDLE names \"video7\", which is no m-line's MID.");
  EXPECT_EQ(error_of(replaced(good, "a=setup:actpass", "a=setup:holdconn")),
            "line 9: a=setup must be actpass, active or passive, and is \"holdconn\".");
  EXPECT_EQ(error_of(replaced(good, "a=ice-ufrag:Scpt", "a=ice-ufrag:S:pt")),
            "line 10: a=ice-ufrag must be 4 to 256 letters, digits, '+' and '/'.");
  EXPECT_EQ(error_of(replaced(good, "a=mid:video0", "a=mid:aVeryLongMidIndeed")),
            "line 23: a=mid has 18 characters; at most 16 fit into a header extension.");
}

TEST(Offer, WantsIceAndDtls) {
  const std::string good = fixture("chromium-sendonly-VP8");
  EXPECT_THAT(error_of(without(good, "a=fingerprint")), HasSubstr("a=fingerprint is missing"));
  EXPECT_THAT(error_of(without(good, "a=ice-ufrag")), HasSubstr("a=ice-ufrag is missing"));
  EXPECT_THAT(error_of(without(good, "a=ice-pwd")), HasSubstr("a=ice-pwd is missing"));
  EXPECT_EQ(parse_offer(without(good, "a=fingerprint")).error().kind, ErrorKind::unsupported);
  EXPECT_THAT(error_of(replaced(good, "a=extmap-allow-mixed", "a=ice-lite")),
              HasSubstr("ICE-lite"));
  EXPECT_EQ(error_of("v=0\no=- 1 1 IN IP4 0.0.0.0\ns=-\nt=0 0\n"),
            "The description has no m-line.");
}

TEST(Offer, OneIdForTwoExtensionsOfOneMediumIsWrong) {
  EXPECT_THAT(error_of(replaced(fixture("chromium-sendonly-VP8"), "a=extmap:2 ", "a=extmap:1 ")),
              HasSubstr("The id 1 is given to two header extensions."));
}

TEST(Offer, SimulcastNeedsItsRids) {
  const std::string good = fixture("chromium-sendonly-simulcast-VP8");
  EXPECT_THAT(error_of(without(good, "a=rid:h")), HasSubstr("a=simulcast sends \"h\""));
  EXPECT_THAT(error_of(replaced(good, "send q;h;f", "send q;q;f")), HasSubstr("twice"));
}

TEST(Offer, RidsHaveALimit) {
  const std::string good = fixture("chromium-sendonly-simulcast-VP8");
  const std::string four =
      replaced(replaced(good, "a=simulcast:send q;h;f", "a=simulcast:send q;h;f;g"), "a=rid:f send",
               "a=rid:f send\r\na=rid:g send\r\na=rid:e send");
  EXPECT_EQ(offer_of(four).media[1].rids.size(), kMaxRids);
  const std::string five = replaced(four, "send q;h;f;g", "send q;h;f;g;e");
  EXPECT_EQ(offer_of(five).media[1].rids.size(), kMaxRids);
}

TEST(Offer, OfAlternativesThePreferredOneIsMeant) {
  const Offer offer =
      offer_of(replaced(fixture("chromium-sendonly-simulcast-VP8"), "send q;h;f", "send q,h;~f"));
  ASSERT_EQ(offer.media[1].rids.size(), 2u);
  EXPECT_EQ(offer.media[1].rids[0].id, "q");
  EXPECT_EQ(offer.media[1].rids[1].id, "f");
}

TEST(Offer, SsrcsHaveALimit) {
  std::string lines;
  for (std::size_t i = 0; i <= kMaxSources; ++i) {
    lines += "a=ssrc:" + std::to_string(10 + i) + " cname:x\r\n";
  }
  const std::string good = without(fixture("aiortc-offer"), "a=ssrc");
  EXPECT_EQ(
      offer_of(replaced(good, "a=rtcp-mux\r\n", lines + "a=rtcp-mux\r\n")).media[0].ssrcs.size(),
      kMaxSources);
  const std::string fewer = lines.substr(lines.find('\n') + 1);
  EXPECT_EQ(
      offer_of(replaced(good, "a=rtcp-mux\r\n", fewer + "a=rtcp-mux\r\n")).media[0].ssrcs.size(),
      kMaxSources);
}

}  // namespace
}  // namespace runnel::negotiation
