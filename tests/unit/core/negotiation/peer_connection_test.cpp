// We offer first: what is added and removed, and what becomes of it.
#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "tests/unit/core/negotiation/peer_connection_fixture.h"

namespace runnel::negotiation {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

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

TEST_F(PeerConnectionTest, OffersWiderProfilesOfH264) {
  (void)add(track(MediaKind::video, "H264/90000", "profile-level-id=640028"), 20);
  const Written written = offer();
  const auto parameters = written.values(0, "fmtp");
  EXPECT_THAT(parameters, testing::Contains(HasSubstr("profile-level-id=640028")));
  EXPECT_THAT(parameters, testing::Contains(HasSubstr("profile-level-id=f40028")));
  EXPECT_THAT(parameters[0], HasSubstr("packetization-mode=1"));
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
