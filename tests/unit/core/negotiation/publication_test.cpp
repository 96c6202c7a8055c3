#include "core/negotiation/publication.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "tests/unit/core/negotiation/descriptions.h"

namespace runnel::negotiation {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<PublishedTrack> published(const std::string& name,
                                      const PublicationWishes& wishes = {}) {
  auto tracks = choose_publication(offer_of(fixture(name)), wishes);
  EXPECT_TRUE(tracks) << name << ": " << tracks.error().to_string();
  return tracks.value_or(std::vector<PublishedTrack>());
}

Error refusal(const std::string& name, const PublicationWishes& wishes) {
  const auto tracks = choose_publication(offer_of(fixture(name)), wishes);
  EXPECT_FALSE(tracks);
  return tracks ? Error() : tracks.error();
}

std::string codecs(const std::vector<PublishedTrack>& tracks) {
  std::string text;
  for (const PublishedTrack& track : tracks) {
    text += track.name + ":" + track.medium.codec.rtpmap() + "=" +
            std::to_string(track.medium.payload_type) + " ";
  }
  return text;
}

TEST(Publication, TakesTheFirstCodecThatThePeerNames) {
  EXPECT_EQ(codecs(published("chromium-sendonly-default")),
            "audio:opus/48000/2=111 video:VP8/90000=96 ");
  EXPECT_EQ(codecs(published("chromium-sendonly-AV1")),
            "audio:opus/48000/2=111 video:AV1/90000=45 ");
  EXPECT_EQ(codecs(published("firefox-sendonly-default")),
            "audio:opus/48000/2=109 video:VP8/90000=120 ");
  EXPECT_EQ(codecs(published("obs-whip")), "audio:opus/48000/2=111 video:H264/90000=96 ");
}

TEST(Publication, SpellsNamesAsTheirRfcsDo) {
  EXPECT_EQ(codecs(published("gst-webrtcbin-pub")), "video:VP8/90000=96 audio:opus/48000/2=111 ");
}

TEST(Publication, OfH264TakesWhatMostReceiversKnow) {
  const auto chromium = published("chromium-sendonly-H264");
  EXPECT_THAT(chromium[1].medium.codec.format_parameters, HasSubstr("profile-level-id=42e01f"));
  EXPECT_THAT(chromium[1].medium.codec.format_parameters, HasSubstr("packetization-mode=1"));
  const auto safari = published("safari-sendonly");
  EXPECT_EQ(safari[1].medium.payload_type, 98);
  EXPECT_EQ(safari[1].medium.retransmission_payload_type, 99);
}

TEST(Publication, TakesTelephoneEventsOfTheSameClockAlong) {
  EXPECT_EQ(published("chromium-sendonly-default")[0].medium.event_payload_type, 110);
  // Opus counts in 48,000, and the events of Firefox in 8,000.
  EXPECT_EQ(published("firefox-sendonly-default")[0].medium.event_payload_type, std::nullopt);
}

TEST(Publication, PreferencesComeFirst) {
  const PublicationWishes wishes{.tracks = {}, .codecs = {"av1", "VP9", "PCMA"}};
  EXPECT_EQ(codecs(published("chromium-sendonly-default", wishes)),
            "audio:PCMA/8000=8 video:AV1/90000=45 ");
  EXPECT_EQ(codecs(published("safari-sendonly", wishes)), "audio:PCMA/8000=8 video:VP9/90000=108 ");
  EXPECT_EQ(codecs(published("gst-webrtcbin-pub", wishes)),
            "video:VP8/90000=96 audio:opus/48000/2=111 ");
}

TEST(Publication, HasWhatARelayNeedsToKnow) {
  const auto tracks = published("firefox-sendonly-simulcast-VP8");
  const AgreedMedium& video = tracks[1].medium;
  EXPECT_EQ(video.section, 1u);
  EXPECT_EQ(video.mid, "1");
  EXPECT_EQ(video.direction, sdp::Direction::recvonly);
  EXPECT_THAT(video.rids, ElementsAre("q", "h", "f"));
  EXPECT_EQ(video.ssrcs.size(), 3u);
  EXPECT_EQ(video.retransmission_payload_type, 124);
  EXPECT_TRUE(video.feedback.nack && video.feedback.remb && video.feedback.transport_wide);
  EXPECT_EQ(video.extensions[rtp::ExtensionKind::rid], 9);
  EXPECT_EQ(video.extensions[rtp::ExtensionKind::repaired_rid], 10);
  EXPECT_EQ(video.codec.format_parameters, "") << "max-fs is what Firefox itself can receive";
}

TEST(Publication, RidsForOtherPayloadTypesAreLeftOut) {
  const std::string text = replaced(fixture("chromium-sendonly-simulcast-default"), "a=rid:h send",
                                    "a=rid:h send pt=98,99;max-width=640");
  const auto vp8 = choose_publication(offer_of(text));
  EXPECT_THAT((*vp8)[1].medium.rids, ElementsAre("q", "f"));
  const auto vp9 = choose_publication(offer_of(text), {.tracks = {}, .codecs = {"VP9"}});
  EXPECT_THAT((*vp9)[1].medium.rids, ElementsAre("q", "h", "f"));
}

TEST(Publication, SeveralOfAKindAreNumbered) {
  const std::string text =
      replaced(replaced(fixture("chromium-sendonly-VP8"), "m=audio", "m=video"),
               "a=rtpmap:111 opus/48000/2", "a=rtpmap:111 VP8/90000");
  const auto tracks = choose_publication(offer_of(text));
  ASSERT_TRUE(tracks);
  EXPECT_EQ((*tracks)[0].name, "video");
  EXPECT_EQ((*tracks)[1].name, "video2");
}

TEST(Publication, WishesNameTracksAndTheirCodecs) {
  PublicationWishes wishes;
  wishes.tracks = {{"screen", rtp::MediaKind::video, "", {"H265", "VP9"}},
                   {"voice", rtp::MediaKind::audio, "", {}}};
  EXPECT_EQ(codecs(published("chromium-sendonly-default", wishes)),
            "screen:VP9/90000=98 voice:opus/48000/2=111 ");
  wishes.tracks = {{"only", std::nullopt, "1", {}}};
  EXPECT_EQ(codecs(published("chromium-sendonly-default", wishes)), "only:VP8/90000=96 ");
}

TEST(Publication, AWishThatCannotBeMetIsRefusedInASentence) {
  PublicationWishes wishes;
  wishes.tracks = {{"screen", rtp::MediaKind::video, "", {"AV1", "VP9"}}};
  const Error codec = refusal("gst-webrtcbin-pub", wishes);
  EXPECT_EQ(codec.kind, ErrorKind::unknown_codec);
  EXPECT_EQ(codec.to_string(),
            "line 7: The track \"screen\" needs AV1 or VP9, and the m-line offers VP8/90000.");
  wishes.tracks = {{"a", rtp::MediaKind::video, "", {}}, {"b", rtp::MediaKind::video, "", {}}};
  const Error line = refusal("gst-webrtcbin-pub", wishes);
  EXPECT_EQ(line.kind, ErrorKind::no_media);
  EXPECT_EQ(line.message,
            "For the track \"b\" the offer has no m-line with video that its sender would send.");
  wishes.tracks = {{"a", std::nullopt, "7", {}}};
  EXPECT_THAT(refusal("gst-webrtcbin-pub", wishes).message, HasSubstr("under a=mid:7"));
}

TEST(Publication, WhoSendsNothingCannotPublish) {
  EXPECT_EQ(refusal("chromium-recvonly", {}).kind, ErrorKind::no_media);
}

TEST(Publication, WithoutAKnownCodecNothingIsPublished) {
  const std::string text =
      replaced(without(fixture("gst-webrtcbin-pub"), "a=bundle-only"), "VP8/90000", "theora/90000");
  const auto tracks = choose_publication(offer_of(text));
  ASSERT_FALSE(tracks);
  EXPECT_EQ(tracks.error().to_string(),
            "line 7: The m-line offers theora/90000, and none of it can be relayed; known are VP8, "
            "VP9, H264, H265 and AV1.");
}

}  // namespace
}  // namespace runnel::negotiation
