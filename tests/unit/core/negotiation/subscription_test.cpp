#include "core/negotiation/subscription.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "tests/unit/core/negotiation/descriptions.h"

namespace runnel::negotiation {
namespace {

using rtp::MediaKind;

Track track(const std::string& name, MediaKind kind, const std::string& rtpmap,
            const std::string& parameters = "") {
  rtp::Codec codec = rtp::Codec::parse(kind, rtpmap).value();
  codec.format_parameters = parameters;
  return {name, codec};
}
const Track kOpus = track("audio", MediaKind::audio, "opus/48000/2");

/// "track=section:payload type/retransmission" of each.
std::string chosen(const std::string& text, const std::vector<Track>& tracks) {
  const auto subscription = choose_subscription(offer_of(text), tracks);
  if (!subscription) return subscription.error().to_string();
  std::string all;
  for (const SubscribedTrack& subscribed : subscription->tracks) {
    const AgreedMedium& medium = subscribed.medium;
    all += tracks[subscribed.track].name + "=" + std::to_string(medium.section) + ":" +
           std::to_string(medium.payload_type) + "/" +
           std::to_string(medium.retransmission_payload_type.value_or(0)) + " ";
  }
  for (const LeftOut& left_out : subscription->left_out) all += left_out.sentence;
  return all;
}

TEST(Subscription, HasTheNumbersOfTheSubscriber) {
  const Track vp8 = track("video", MediaKind::video, "VP8/90000");
  EXPECT_EQ(chosen(fixture("chromium-recvonly"), {kOpus, vp8}), "audio=0:111/0 video=1:96/97 ");
  EXPECT_EQ(chosen(fixture("firefox-recvonly"), {kOpus, vp8}), "audio=0:109/0 video=1:120/124 ");
  EXPECT_EQ(chosen(fixture("gst-webrtcbin-view"), {vp8, kOpus}), "video=1:96/0 audio=0:111/0 ");
  EXPECT_EQ(chosen(fixture("aiortc-audio-video"), {kOpus, vp8}), "audio=0:96/0 video=1:97/98 ");
}

TEST(Subscription, FindsTheVariantOfTheTrack) {
  const std::string chromium = fixture("chromium-recvonly");
  const auto h264 = [](const std::string& parameters) {
    return track("video", MediaKind::video, "H264/90000", parameters);
  };
  EXPECT_EQ(chosen(chromium, {h264("packetization-mode=1;profile-level-id=42e01f")}),
            "video=1:108/109 ");
  EXPECT_EQ(chosen(chromium, {h264("packetization-mode=0;profile-level-id=4d0028")}),
            "video=1:39/40 ");
  EXPECT_EQ(chosen(chromium, {h264("packetization-mode=1;profile-level-id=640028")}),
            "video=1:41/42 ");
  EXPECT_EQ(chosen(chromium, {h264("")}), "video=1:102/103 ");
  EXPECT_EQ(chosen(chromium, {track("video", MediaKind::video, "VP9/90000", "profile-id=2")}),
            "video=1:100/101 ");
  EXPECT_EQ(chosen(chromium, {track("video", MediaKind::video, "AV1/90000")}), "video=1:45/46 ");
  EXPECT_EQ(chosen(chromium, {track("audio", MediaKind::audio, "g722/8000/1")}), "audio=0:9/0 ");
}

TEST(Subscription, HasTheExtensionsThatTheSubscriberTakes) {
  const auto subscription =
      choose_subscription(offer_of(fixture("chromium-recvonly")),
                          std::vector{track("video", MediaKind::video, "VP8/90000")});
  const AgreedMedium medium = subscription.value().tracks[0].medium;
  EXPECT_EQ(medium.direction, sdp::Direction::sendonly);
  EXPECT_EQ(medium.extensions[rtp::ExtensionKind::mid], 4);
  EXPECT_EQ(medium.extensions[rtp::ExtensionKind::video_orientation], 13);
  EXPECT_EQ(medium.extensions[rtp::ExtensionKind::rid], 0) << "one encoding is sent";
  EXPECT_TRUE(medium.feedback.nack);
}

TEST(Subscription, WithoutTheCodecIsRefusedInASentence) {
  const Track av1 = track("video", MediaKind::video, "AV1/90000", "profile=0");
  const auto subscription =
      choose_subscription(offer_of(fixture("libdatachannel-recvonly")), std::vector{av1});
  ASSERT_FALSE(subscription);
  EXPECT_EQ(subscription.error().kind, ErrorKind::unknown_codec);
  EXPECT_EQ(subscription.error().to_string(),
            "line 13: The track \"video\" is AV1/90000 (profile=0), and the peer can receive "
            "H264/90000 (profile-level-id=42e01f, packetization-mode=1) and VP8/90000.");
}

TEST(Subscription, TracksBesideOneThatIsRefusedAreKept) {
  const Track av1 = track("video", MediaKind::video, "AV1/90000");
  const std::vector<Track> tracks = {av1, kOpus};
  const auto subscription = choose_subscription(offer_of(fixture("gst-webrtcbin-view")), tracks);
  ASSERT_TRUE(subscription);
  EXPECT_EQ(subscription->tracks.size(), 1u);
  ASSERT_EQ(subscription->left_out.size(), 1u);
  EXPECT_EQ(subscription->left_out[0].track, 0u);
  EXPECT_EQ(subscription->left_out[0].reason, ErrorKind::unknown_codec);
}

TEST(Subscription, MoreTracksThanMLinesAreLeftOut) {
  const Track vp8 = track("video", MediaKind::video, "VP8/90000");
  const std::vector<Track> tracks = {vp8, vp8};
  const auto subscription = choose_subscription(offer_of(fixture("gst-webrtcbin-view")), tracks);
  ASSERT_TRUE(subscription);
  ASSERT_EQ(subscription->left_out.size(), 1u);
  EXPECT_EQ(subscription->left_out[0].reason, ErrorKind::no_media);
  EXPECT_THAT(subscription->left_out[0].sentence, testing::HasSubstr("no further m-line"));
}

TEST(Subscription, WhoReceivesNothingCannotSubscribe) {
  const auto subscription =
      choose_subscription(offer_of(fixture("chromium-sendonly-VP8")), std::vector{kOpus});
  ASSERT_FALSE(subscription);
  EXPECT_EQ(subscription.error().kind, ErrorKind::no_media);
}

TEST(Subscription, ToAStreamWithoutTracksIsRefused) {
  EXPECT_FALSE(choose_subscription(offer_of(fixture("chromium-recvonly")), {}));
}

}  // namespace
}  // namespace runnel::negotiation
