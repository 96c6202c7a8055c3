// The peer has offered first: what that means for offers of ours, and what it may offer again.
#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "tests/unit/core/negotiation/peer_connection_fixture.h"

namespace runnel::negotiation {
namespace {

using testing::HasSubstr;

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

}  // namespace
}  // namespace runnel::negotiation
