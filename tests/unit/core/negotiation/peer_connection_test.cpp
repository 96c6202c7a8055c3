#include "core/negotiation/peer_connection.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "core/negotiation/publication.h"
#include "tests/unit/core/negotiation/descriptions.h"

namespace runnel::negotiation {
namespace {

using rtp::MediaKind;
using testing::ElementsAre;
using testing::HasSubstr;

Track track(MediaKind kind, const std::string& rtpmap, const std::string& parameters = "") {
  Track made{std::string(rtp::to_string(kind)), rtp::Codec::parse(kind, rtpmap).value()};
  made.codec.format_parameters = parameters;
  return made;
}
const Track kOpus = track(MediaKind::audio, "opus/48000/2", "minptime=10;useinbandfec=1");
const Track kVp8 = track(MediaKind::video, "VP8/90000");
const Track kH264 =
    track(MediaKind::video, "H264/90000", "packetization-mode=1;profile-level-id=42e01f");

SentSource source(std::uint32_t ssrc) {
  return {ssrc, ssrc + 1, "cname", "stream", "track" + std::to_string(ssrc)};
}

/// A browser's answer to an offer of ours: it takes what is in the m-line, and receives it.
std::string answer_to(const std::string& offer) {
  std::string text =
      without(without(without(without(offer, "a=ssrc"), "a=msid"), "a=ice-lite"), "a=candidate");
  for (std::size_t at; (at = text.find("a=sendonly")) != std::string::npos;) {
    text.replace(at, 10, "a=recvonly");
  }
  for (std::size_t at; (at = text.find("a=setup:actpass")) != std::string::npos;) {
    text.replace(at, 15, "a=setup:active");
  }
  for (std::size_t at; (at = text.find("oursides")) != std::string::npos;) {
    text.replace(at, 8, "theirend");
  }
  return text;
}

class PeerConnectionTest : public testing::Test {
 protected:
  std::string add(const Track& wanted, std::uint32_t ssrc) {
    auto mid = connection.add(wanted, source(ssrc));
    EXPECT_TRUE(mid) << mid.error().to_string();
    return mid.value_or("");
  }
  Written offer() { return Written(connection.write_offer(local_transport())); }
  std::vector<Outcome> read(const std::string& text) {
    auto outcomes = connection.read_answer(text);
    EXPECT_TRUE(outcomes) << outcomes.error().to_string();
    return outcomes.value_or(std::vector<Outcome>());
  }
  std::vector<Outcome> exchange() { return read(answer_to(offer().text())); }

  /// The peer publishes first.
  Written publish(const std::string& text) {
    const auto peers = connection.read_offer(text);
    EXPECT_TRUE(peers) << peers.error().to_string();
    std::vector<AgreedMedium> agreed;
    const auto tracks = choose_publication(*peers).value();
    for (const PublishedTrack& published : tracks) agreed.push_back(published.medium);
    return Written(connection.write_answer(*peers, media_of(agreed), local_transport()));
  }

  PeerConnection connection{77};
};

TEST_F(PeerConnectionTest, OffersWhatIsAdded) {
  const std::string audio = add(kOpus, 10);
  const std::string video = add(kVp8, 20);
  EXPECT_TRUE(connection.has_changes());
  const Written written = offer();
  EXPECT_EQ(connection.generation(), 1u);
  EXPECT_TRUE(connection.is_offer_open());
  EXPECT_FALSE(connection.has_changes());

  ASSERT_EQ(written.media().size(), 2u);
  EXPECT_EQ(written.session().value("group"), "BUNDLE " + audio + " " + video);
  EXPECT_EQ(written.value(0, "setup"), "actpass");
  EXPECT_TRUE(written.has(0, "sendonly"));
  EXPECT_TRUE(written.has(0, "rtpmap:96 opus/48000/2"));
  EXPECT_TRUE(written.has(0, "fmtp:96 minptime=10;useinbandfec=1"));
  EXPECT_THAT(written[1].formats, ElementsAre("97", "98"));
  EXPECT_TRUE(written.has(1, "fmtp:98 apt=97"));
  EXPECT_EQ(written.value(1, "ssrc-group"), "FID 20 21");
  EXPECT_EQ(written.value(1, "msid"), "stream track20");

  const auto outcomes = read(answer_to(written.text()));
  ASSERT_EQ(outcomes.size(), 2u);
  EXPECT_EQ(outcomes[1].mid, video);
  ASSERT_TRUE(outcomes[1].medium);
  EXPECT_EQ(outcomes[1].medium->payload_type, 97);
  EXPECT_EQ(outcomes[1].medium->retransmission_payload_type, 98);
  EXPECT_TRUE(outcomes[1].medium->extensions.has(rtp::ExtensionKind::mid));
  EXPECT_TRUE(outcomes[1].medium->feedback.transport_wide);
  EXPECT_EQ(connection.our_setup(), sdp::Setup::passive);
  EXPECT_EQ(connection.peer_transport().ufrag, "theirend");
  EXPECT_FALSE(connection.is_offer_open());
  EXPECT_EQ(connection.media().size(), 2u);
}

TEST_F(PeerConnectionTest, ExtensionsHaveOneIdInAllMedia) {
  (void)add(kOpus, 10);
  (void)add(kVp8, 20);
  const Written written = offer();
  const auto audio = written.values(0, "extmap");
  const auto video = written.values(1, "extmap");
  for (const std::string& extension : audio) {
    const std::string uri = extension.substr(extension.find(' '));
    for (const std::string& other : video) {
      EXPECT_TRUE(!other.ends_with(uri) || other == extension) << extension << " and " << other;
      EXPECT_TRUE(other == extension ||
                  other.substr(0, other.find(' ')) != extension.substr(0, extension.find(' ')));
    }
  }
}

TEST_F(PeerConnectionTest, OneCodecHasOnePayloadType) {
  (void)add(kOpus, 10);
  (void)exchange();
  (void)add(track(MediaKind::audio, "opus/48000/2"), 20);
  const Written written = offer();
  EXPECT_TRUE(written.has(1, "rtpmap:96 opus/48000/2"));
  EXPECT_TRUE(written.has(1, "fmtp:96 minptime=10;useinbandfec=1"));
}

TEST_F(PeerConnectionTest, TheAnswersNumbersCount) {
  (void)add(kVp8, 20);
  std::string text = answer_to(offer().text());
  text = replaced(text, "SAVPF 96 97", "SAVPF 120 124");
  for (const auto& [from, to] : {std::pair{"map:96", "map:120"},
                                 {"map:97", "map:124"},
                                 {"fmtp:97 apt=96", "fmtp:124 apt=120"}}) {
    text = replaced(text, from, to);
  }
  const auto outcomes = read(text);
  ASSERT_TRUE(outcomes[0].medium);
  EXPECT_EQ(outcomes[0].medium->payload_type, 120);
  EXPECT_EQ(outcomes[0].medium->retransmission_payload_type, 124);
}

TEST_F(PeerConnectionTest, WhatIsRemovedBecomesInactiveAndIsUsedAgain) {
  (void)add(kOpus, 10);
  const std::string video = add(kVp8, 20);
  (void)exchange();
  connection.remove(video);
  EXPECT_TRUE(connection.has_changes());
  const Written written = offer();
  EXPECT_TRUE(written.has(1, "inactive"));
  EXPECT_EQ(written.values(1, "ssrc").size(), 0u);
  EXPECT_TRUE(read(answer_to(written.text())).empty());
  EXPECT_EQ(connection.media().size(), 1u);
  EXPECT_FALSE(connection.has_changes());

  EXPECT_EQ(add(kH264, 30), video) << "the same m-line";
  const Written again = offer();
  ASSERT_EQ(again.media().size(), 2u);
  EXPECT_TRUE(again.has(1, "sendonly"));
  EXPECT_TRUE(again.has(1, "rtpmap:99 H264/90000")) << "97 was VP8, and stays so";
  EXPECT_EQ(connection.generation(), 3u);
}

TEST_F(PeerConnectionTest, ChangesDuringAnOpenOfferGoIntoTheNextOne) {
  const std::string first = add(kVp8, 10);
  const std::string text = offer().text();
  const std::string second = add(kVp8, 20);
  connection.remove(first);
  EXPECT_TRUE(connection.has_changes());
  const auto outcomes = read(answer_to(text));
  ASSERT_EQ(outcomes.size(), 1u);
  EXPECT_TRUE(connection.has_changes());
  const Written next = offer();
  ASSERT_EQ(next.media().size(), 2u);
  EXPECT_TRUE(next.has(0, "inactive"));
  EXPECT_TRUE(next.has(1, "sendonly"));
  EXPECT_EQ(next.value(1, "mid"), second);
}

TEST_F(PeerConnectionTest, WhatIsRemovedBeforeItIsOfferedLeavesNoTrace) {
  const std::string first = add(kVp8, 10);
  const std::string second = add(kVp8, 20);
  connection.remove(first);
  connection.remove("no such");
  const Written written = offer();
  ASSERT_EQ(written.media().size(), 1u);
  EXPECT_EQ(written.value(0, "mid"), second);
}

TEST_F(PeerConnectionTest, APeerMayRefuseAMedium) {
  (void)add(kOpus, 10);
  const std::string video = add(kVp8, 20);
  std::string text = answer_to(offer().text());
  text = replaced(text, "m=video 7000", "m=video 0");
  text = replaced(text, " " + video + "\r\n", "\r\n");
  const auto outcomes = read(text);
  ASSERT_EQ(outcomes.size(), 2u);
  EXPECT_FALSE(outcomes[1].medium);
  EXPECT_EQ(outcomes[1].refusal,
            "The peer has refused VP8/90000. The peer has switched it off by port 0.");
  EXPECT_FALSE(connection.has_changes());

  const std::string other = add(kH264, 30);
  EXPECT_NE(other, video);
  const Written again = offer();
  ASSERT_EQ(again.media().size(), 2u) << "the rejected m-line is used again";
  EXPECT_EQ(again.value(1, "mid"), other);
}

TEST_F(PeerConnectionTest, ARefusedMediumStaysInItsPlaceWithItsFormats) {
  (void)add(kVp8, 20);
  const auto refuse = [](const Written& offered) {
    return replaced(answer_to(offered.text()), "m=video 7000", "m=video 0");
  };
  const Written first = offer();
  ASSERT_EQ(read(refuse(first)).size(), 1u);
  const Written again = offer();
  ASSERT_EQ(again.media().size(), 1u);
  EXPECT_EQ(again.media()[0].port, 0);
  ASSERT_FALSE(again.media()[0].formats.empty());
  EXPECT_EQ(again.media()[0].formats[0], first.media()[0].formats[0]);
}

TEST_F(PeerConnectionTest, APeerMayNotWantToReceive) {
  (void)add(kVp8, 20);
  const auto outcomes = read(replaced(answer_to(offer().text()), "a=recvonly", "a=inactive"));
  ASSERT_EQ(outcomes.size(), 1u);
  EXPECT_EQ(outcomes[0].refusal, "The peer does not want to receive it (a=inactive).");
  EXPECT_TRUE(connection.media().empty());
  (void)add(kVp8, 30);
  EXPECT_EQ(offer().media().size(), 2u) << "not in the m-line that it does not want";
}

TEST_F(PeerConnectionTest, AfterAWrongAnswerTheOfferIsStillOpen) {
  (void)add(kOpus, 10);
  (void)add(kVp8, 20);
  const std::string good = answer_to(offer().text());
  const auto error = [&](const std::string& text) {
    const auto outcomes = connection.read_answer(text);
    return outcomes ? "" : outcomes.error().to_string();
  };
  EXPECT_THAT(error(good.substr(0, good.find("m=video"))), HasSubstr("names \"s1\""));
  EXPECT_THAT(error(replaced(replaced(good, "a=mid:s1", "a=mid:x"), "s0 s1", "s0 x")),
              HasSubstr("had a=mid:s1 before"));
  EXPECT_THAT(error(replaced(good, "m=video", "m=audio")), HasSubstr("was of video before"));
  EXPECT_THAT(error(replaced(good, "a=setup:active", "a=setup:actpass")), HasSubstr("a=setup"));
  EXPECT_THAT(error("nonsense"), HasSubstr("line 1"));
  EXPECT_TRUE(connection.is_offer_open());
  EXPECT_EQ(read(good).size(), 2u);
}

TEST_F(PeerConnectionTest, SubscriptionsJoinAPublication) {
  (void)publish(fixture("chromium-sendonly-default"));
  EXPECT_EQ(connection.media().size(), 2u);
  (void)add(kH264, 20);
  const Written written = offer();
  ASSERT_EQ(written.media().size(), 3u);
  EXPECT_TRUE(written.has(0, "recvonly"));
  EXPECT_TRUE(written.has(1, "recvonly"));
  EXPECT_TRUE(written.has(1, "rtpmap:96 VP8/90000"));
  EXPECT_TRUE(written.has(2, "sendonly"));
  EXPECT_TRUE(written.has(2, "rtpmap:108 H264/90000")) << "the number that the peer has for it";
  EXPECT_TRUE(written.has(2, "extmap:4 urn:ietf:params:rtp-hdrext:sdes:mid"));
  std::string text = written.text();
  for (int i = 0; i < 2; ++i) text = replaced(text, "a=recvonly", "a=will");
  text = answer_to(text);
  for (int i = 0; i < 2; ++i) text = replaced(text, "a=will", "a=sendonly");
  const std::string chromiums = fixture("chromium-sendonly-default");
  const std::size_t at = chromiums.find("a=fingerprint:") + 14;
  const std::string fingerprint = chromiums.substr(at, chromiums.find('\r', at) - at);
  for (int i = 0; i < 3; ++i) text = replaced(text, "sha-256 AA:BB", fingerprint);
  const auto outcomes = read(text);
  ASSERT_EQ(outcomes.size(), 1u);
  EXPECT_EQ(outcomes[0].medium->payload_type, 108);
  EXPECT_EQ(connection.media().size(), 3u);
}

TEST_F(PeerConnectionTest, NumbersOfThePeerAreNotGivenToOthers) {
  // As if it had not said what it can receive: opus 96, VP8 97 and 98, H264 99 to 102.
  const std::string text = fixture("aiortc-audio-video");
  (void)publish(replaced(replaced(text, "a=sendrecv", "a=sendonly"), "a=sendrecv", "a=sendonly"));
  (void)add(track(MediaKind::video, "AV1/90000"), 20);
  const Written written = offer();
  EXPECT_TRUE(written.has(2, "rtpmap:103 AV1/90000"));
  EXPECT_TRUE(written.has(2, "extmap:1 urn:ietf:params:rtp-hdrext:sdes:mid"));
  for (const std::string& extension : written.values(2, "extmap")) {
    EXPECT_FALSE(extension.starts_with("2 ")) << "ambiguous at this peer";
  }
}

TEST_F(PeerConnectionTest, ACodecThatThePeerHasNotListedIsRefused) {
  const auto peers = connection.read_offer(fixture("libdatachannel-recvonly"));
  (void)connection.write_answer(*peers, {}, local_transport());
  const auto refused = connection.add(track(MediaKind::video, "AV1/90000"), source(1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().kind, ErrorKind::unknown_codec);
  EXPECT_EQ(refused.error().message,
            "The track \"video\" is AV1/90000, and the peer can receive H264/90000 "
            "(profile-level-id=42e01f, packetization-mode=1) and VP8/90000.");
  EXPECT_EQ(connection.add(kH264, source(1)), "video") << "the peer's own m-line is free";
}

TEST_F(PeerConnectionTest, OffersWiderProfilesOfH264) {
  (void)add(track(MediaKind::video, "H264/90000", "profile-level-id=640028"), 20);
  const Written written = offer();
  const auto parameters = written.values(0, "fmtp");
  EXPECT_THAT(parameters, testing::Contains(HasSubstr("profile-level-id=640028")));
  EXPECT_THAT(parameters, testing::Contains(HasSubstr("profile-level-id=f40028")));
  EXPECT_THAT(parameters[0], HasSubstr("packetization-mode=1"));
}

TEST_F(PeerConnectionTest, RecognizesAnIceRestart) {
  const std::string first = fixture("chromium-sendonly-VP8");
  (void)publish(first);
  const auto same = connection.read_offer(first);
  ASSERT_TRUE(same);
  EXPECT_FALSE(connection.restarts_ice(same->transport));

  std::string text = first;
  const std::size_t at = text.find("a=ice-ufrag:");
  const std::string line = text.substr(at, text.find('\r', at) - at);
  for (int i = 0; i < 2; ++i) text = replaced(text, line, "a=ice-ufraG:newone");
  for (int i = 0; i < 2; ++i) text = replaced(text, "a=ice-ufraG", "a=ice-ufrag");
  const auto restart = connection.read_offer(text);
  ASSERT_TRUE(restart) << restart.error().to_string();
  EXPECT_TRUE(connection.restarts_ice(restart->transport));
  const auto media = connection.continued(*restart);
  ASSERT_TRUE(media);
  ASSERT_EQ(media->size(), 2u);
  const Written again(connection.write_answer(*restart, *media, local_transport()));
  EXPECT_TRUE(again.has(1, "rtpmap:96 VP8/90000"));
  EXPECT_EQ(again.value(1, "setup"), "passive");
  EXPECT_THAT(again.session().lines[1].value, HasSubstr("- 77 2 "));
  EXPECT_FALSE(connection.restarts_ice(restart->transport));
}

TEST_F(PeerConnectionTest, CredentialsMayComeWithoutSdp) {
  (void)publish(fixture("obs-whip"));
  connection.set_peer_credentials("newone", "newone0123456789abcdefgh");
  EXPECT_EQ(connection.peer_transport().ufrag, "newone");
  EXPECT_TRUE(connection.restarts_ice(offer_of(fixture("obs-whip")).transport));
}

TEST_F(PeerConnectionTest, WhatThePeerStopsDoesNotContinue) {
  const std::string first = fixture("gst-webrtcbin-pub");
  (void)publish(first);
  const auto stopped = connection.read_offer(replaced(first, "a=sendrecv", "a=recvonly"));
  ASSERT_TRUE(stopped);
  EXPECT_EQ(connection.continued(*stopped).value().size(), 1u);
}

TEST_F(PeerConnectionTest, AnotherOfferMustBeOfTheSameConnection) {
  const std::string first = fixture("gst-webrtcbin-pub");
  (void)publish(first);
  const auto error = [&](const std::string& text) {
    const auto read = connection.read_offer(text);
    return read ? "" : read.error().to_string();
  };
  EXPECT_THAT(error(replaced(replaced(first, "a=mid:audio1", "a=mid:other"), "audio1", "other")),
              HasSubstr("line 26: This m-line has a=mid:other and had a=mid:audio1 before"));
  EXPECT_THAT(error(replaced(first, "sha-256 09", "sha-256 0A")),
              HasSubstr("a=fingerprint has changed"));
  EXPECT_THAT(error(replaced(first.substr(0, first.find("m=audio")), " audio1", "")),
              HasSubstr("none may go"));
  const auto renumbered = connection.read_offer(replaced(first, "96 VP8", "96 VP9"));
  ASSERT_TRUE(renumbered);
  EXPECT_THAT(connection.continued(*renumbered).error().message, HasSubstr("was agreed to be VP8"));
}

TEST_F(PeerConnectionTest, AnOfferOfThePeerWithdrawsOurs) {
  (void)publish(fixture("chromium-sendonly-VP8"));
  const std::string mid = add(kOpus, 10);
  (void)offer();
  const auto again = connection.read_offer(fixture("chromium-sendonly-VP8"));
  ASSERT_TRUE(again);
  (void)connection.write_answer(*again, connection.continued(*again).value(), local_transport());
  EXPECT_FALSE(connection.is_offer_open());
  EXPECT_TRUE(connection.has_changes());
  const Written written = offer();
  ASSERT_EQ(written.media().size(), 3u);
  EXPECT_EQ(written.value(2, "mid"), mid);
}

TEST_F(PeerConnectionTest, NewMediaOfThePeerDoNotDisturbOurs) {
  const std::string first = fixture("gst-webrtcbin-pub");
  (void)publish(replaced(first.substr(0, first.find("m=audio")), " audio1", ""));
  const std::string mid = add(kOpus, 10);
  const auto more = connection.read_offer(first);
  ASSERT_TRUE(more) << more.error().to_string();
  (void)connection.write_answer(*more, connection.continued(*more).value(), local_transport());
  EXPECT_EQ(connection.media().size(), 1u) << "the new m-line was not asked for";
  const Written written = offer();
  ASSERT_EQ(written.media().size(), 3u);
  EXPECT_EQ(written.value(1, "mid"), "audio1");
  EXPECT_EQ(written.value(2, "mid"), mid);
}

TEST_F(PeerConnectionTest, MediaHaveALimit) {
  for (std::size_t i = 0; i < PeerConnection::kMaxSections; ++i) {
    (void)add(kVp8, static_cast<std::uint32_t>(10 * i));
  }
  const auto refused = connection.add(kVp8, source(1));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "The connection has 64 m-lines, and more are not allowed.");
  EXPECT_EQ(offer().media().size(), PeerConnection::kMaxSections);
}

TEST_F(PeerConnectionTest, PayloadTypesHaveALimit) {
  // Two for each, from 96 to 127 and from 35 to 63.
  std::size_t added = 0;
  while (added < 60) {
    const Track other = track(MediaKind::video, "VP9/90000", "profile-id=" + std::to_string(added));
    if (const auto mid = connection.add(other, source(1)); !mid) {
      EXPECT_EQ(mid.error().message, "The connection has used up all payload types.");
      break;
    }
    ++added;
  }
  EXPECT_EQ(added, 31u);
}

}  // namespace
}  // namespace runnel::negotiation
