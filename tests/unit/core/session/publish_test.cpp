// Publishing: who may, who is pushed aside, and what happens to subscribers when a publisher goes.
#include "guest.h"

namespace runnel::session {
namespace {

using auth::Action;
using auth::Permissions;

Json taking_over(Json wish) {
  wish["take_over"] = true;
  return wish;
}

TEST(Publish, NeedsPermissionForTheStream) {
  SceneOptions options;
  options.auth = tokens_only(static_token("alice", may("camera-*", Action::publish)));
  Scene scene(std::move(options));
  Guest alice = Guest::greeted(scene, token_of("alice"));
  EXPECT_EQ(Guest::code(alice.ask("publish", publication("camera-1"))), "ok");
  EXPECT_EQ(Guest::code(alice.ask("publish", publication("studio"))), "forbidden");
  EXPECT_EQ(Guest::code(alice.ask("subscribe", subscription("camera-1"))), "forbidden");
  EXPECT_EQ(Guest::code(alice.ask("watch")), "forbidden");
  EXPECT_EQ(Guest::code(alice.ask("stats", {{"stream", "camera-1"}})), "forbidden");
}

TEST(Publish, OnePublisherAtATime) {
  Scene scene;
  Guest one = Guest::greeted(scene);
  Guest two = Guest::greeted(scene);
  EXPECT_EQ(Guest::code(one.ask("publish", publication("camera"))), "ok");
  const Json busy = two.ask("publish", publication("camera"));
  EXPECT_EQ(Guest::code(busy), "stream_busy");
  EXPECT_EQ(busy["error"]["status"], 409);
  EXPECT_EQ(busy["error"]["retry_ms"], 2000);
}

TEST(Publish, TakingOverNeedsATokenThatAllowsIt) {
  SceneOptions options;
  Permissions bold = may("*", Action::publish);
  bold.take_over = true;
  options.auth = tokens_only(static_token("shy", may("*", Action::publish)),
                             static_token("bold", std::move(bold)));
  Scene scene(std::move(options));
  Guest owner = Guest::greeted(scene, token_of("shy"));
  ASSERT_EQ(Guest::code(owner.ask("publish", publication("camera"))), "ok");
  Guest shy = Guest::greeted(scene, token_of("shy"));
  EXPECT_EQ(Guest::code(shy.ask("publish", taking_over(publication("camera")))), "forbidden");
  Guest bold_one = Guest::greeted(scene, token_of("bold"));
  EXPECT_EQ(Guest::code(bold_one.ask("publish", publication("camera"))), "stream_busy");
  EXPECT_EQ(Guest::code(bold_one.ask("publish", taking_over(publication("camera")))), "ok");
  const auto ended = owner.events("leg_ended");
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0]["reason"], "taken_over");
  EXPECT_EQ(scene.desk.counts().publications, 1u);
}

TEST(Publish, SubscribersGoOnAfterATakeOver) {
  Scene scene;
  Guest one = Guest::greeted(scene);
  Guest two = Guest::greeted(scene);
  Guest subscriber = Guest::greeted(scene);
  const Json first = one.ask("publish", publication("camera"));
  subscriber.ask("subscribe", subscription("camera"));
  one.send_packet(channel_of(first), vp8_packet(1, true));
  const Json second = two.ask("publish", taking_over(publication("camera")));
  two.send_packet(channel_of(second), vp8_packet(900, true));
  one.send_packet(channel_of(first), vp8_packet(2, false));
  const auto media = subscriber.media();
  ASSERT_EQ(media.size(), 2u);
  EXPECT_EQ(view_of(body_of(media[1])).sequence_number(),
            static_cast<std::uint16_t>(view_of(body_of(media[0])).sequence_number() + 1));
  EXPECT_EQ(view_of(body_of(media[1])).ssrc(), view_of(body_of(media[0])).ssrc());
}

TEST(Publish, HalfAFrameOfAPublisherThatWasPushedAsideIsNotDelivered) {
  Scene scene;
  Guest one = Guest::greeted(scene);
  Guest two = Guest::greeted(scene);
  Guest subscriber = Guest::greeted(scene);
  const Json first = one.ask("publish", publication("camera"));
  subscriber.ask("subscribe", subscription("camera", websocket_leg("frame")));
  Bytes begun = vp8_packet(1, true);
  begun[1] &= 0x7f;  // no marker: more is to come
  one.send_packet(channel_of(first), begun);
  const Json second = two.ask("publish", taking_over(publication("camera")));
  two.send_packet(channel_of(second), vp8_packet(900, true));
  const auto media = subscriber.media();
  ASSERT_EQ(media.size(), 1u);
  const ByteView body = body_of(media[0]);
  EXPECT_EQ(Bytes(body.begin(), body.end()), vp8_frame(true, static_cast<std::uint8_t>(900)));
}

TEST(Publish, ATakeOverWithOtherTracksIsRefused) {
  Scene scene;
  Guest one = Guest::greeted(scene);
  Guest two = Guest::greeted(scene);
  ASSERT_EQ(Guest::code(one.ask("publish", publication("camera"))), "ok");
  const Json other = publication("camera", websocket_leg(), Json::array({audio_track()}));
  EXPECT_EQ(Guest::code(two.ask("publish", taking_over(other))), "other_tracks");
  EXPECT_TRUE(one.events("leg_ended").empty());
}

TEST(Publish, ATakeOverMayNameItsTracksInAnotherOrder) {
  Scene scene;
  Guest one = Guest::greeted(scene);
  Guest two = Guest::greeted(scene);
  Guest subscriber = Guest::greeted(scene);
  one.ask("publish", publication("camera", websocket_leg(), {video_track(), audio_track()}));
  const Json subscribed = subscriber.ask("subscribe", subscription("camera"));
  const Json leg = two.ask(
      "publish",
      taking_over(publication("camera", websocket_leg(), {audio_track("a"), video_track("v")})));
  ASSERT_EQ(Guest::code(leg), "ok");
  EXPECT_EQ(leg["tracks"][0]["name"], "a");
  two.send_packet(channel_of(leg, 0), packet({.payload = {1, 2}, .payload_type = 111, .ssrc = 5}));
  const auto media = subscriber.media();
  ASSERT_EQ(media.size(), 1u);
  EXPECT_EQ(channel_in(media[0]), channel_of(subscribed, 1));
}

TEST(Publish, APublisherThatComesBackWithinHoldFindsItsSubscribers) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  Guest subscriber = Guest::greeted(scene);
  const Json first = publisher.ask("publish", publication("camera"));
  const Json leg = subscriber.ask("subscribe", subscription("camera"));
  EXPECT_EQ(Guest::code(publisher.ask("unpublish", {{"leg", first["leg"]}})), "ok");
  const auto away = subscriber.events("leg_state");
  ASSERT_EQ(away.size(), 1u);
  EXPECT_EQ(away[0]["state"], "ended");
  scene.advance(seconds(29));
  const Json second = publisher.ask("publish", publication("camera"));
  publisher.send_packet(channel_of(second), vp8_packet(1, true));
  EXPECT_EQ(subscriber.media().size(), 1u);
  const auto back = subscriber.events("leg_state");
  ASSERT_EQ(back.size(), 1u);
  EXPECT_EQ(back[0]["leg"], leg["leg"]);
  EXPECT_EQ(back[0]["state"], "live");
  scene.advance(seconds(60));
  EXPECT_TRUE(subscriber.events("leg_ended").empty());
}

TEST(Publish, FramesGoOnBehindAPublisherThatWasGone) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  Guest subscriber = Guest::greeted(scene);
  const Json first = publisher.ask("publish", publication("camera"));
  subscriber.ask("subscribe", subscription("camera", websocket_leg("frame")));
  publisher.send_packet(channel_of(first), vp8_packet(60'000, true));
  ASSERT_EQ(subscriber.media().size(), 1u);
  publisher.ask("unpublish", {{"leg", first["leg"]}});
  scene.advance(seconds(5));
  const Json second = publisher.ask("publish", publication("camera"));
  for (std::uint16_t i = 0; i < 3; ++i) {
    publisher.send_packet(channel_of(second), vp8_packet(i, i == 0));
  }
  const auto media = subscriber.media();
  ASSERT_EQ(media.size(), 3u);
  EXPECT_GE(load_be64(media[0].data() + 4), 5'000'000u) << "the time of the frames goes on";
}

TEST(Publish, WhenHoldIsOverSubscriptionsEnd) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  Guest subscriber = Guest::greeted(scene);
  const Json leg = publisher.ask("publish", publication("camera"));
  subscriber.ask("subscribe", subscription("camera"));
  publisher.ask("unpublish", {{"leg", leg["leg"]}});
  scene.advance(seconds(29));
  EXPECT_TRUE(subscriber.events("leg_ended").empty());
  scene.advance(seconds(1));
  const auto ended = subscriber.events("leg_ended");
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0]["reason"], "stream_ended");
  EXPECT_EQ(scene.desk.counts().streams, 0u);
  EXPECT_EQ(scene.relay_count(), 0u);
}

TEST(Publish, AfterAGoneOneOtherTracksEndTheSubscriptions) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  Guest subscriber = Guest::greeted(scene);
  const Json leg = publisher.ask("publish", publication("camera"));
  subscriber.ask("subscribe", subscription("camera"));
  publisher.ask("unpublish", {{"leg", leg["leg"]}});
  EXPECT_EQ(Guest::code(publisher.ask(
                "publish", publication("camera", websocket_leg(), Json::array({audio_track()})))),
            "ok");
  const auto ended = subscriber.events("leg_ended");
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0]["reason"], "tracks_changed");
  EXPECT_EQ(scene.relay_count(), 1u);
}

TEST(Publish, AStreamWithoutSubscribersGoesAtOnce) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  const Json leg = publisher.ask("publish", publication("camera"));
  publisher.ask("unpublish", {{"leg", leg["leg"]}});
  EXPECT_EQ(scene.desk.counts().streams, 0u);
  EXPECT_EQ(scene.relay_count(), 0u);
}

TEST(Publish, OnlyOnesOwnLegCanBeEnded) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  Guest stranger = Guest::greeted(scene);
  const Json leg = publisher.ask("publish", publication("camera"));
  EXPECT_EQ(Guest::code(stranger.ask("unpublish", {{"leg", leg["leg"]}})), "unknown_leg");
  EXPECT_EQ(Guest::code(publisher.ask("unsubscribe", {{"leg", leg["leg"]}})), "unknown_leg");
  EXPECT_EQ(Guest::code(publisher.ask("unpublish", {{"leg", leg["leg"]}})), "ok");
  EXPECT_EQ(Guest::code(publisher.ask("unpublish", {{"leg", leg["leg"]}})), "unknown_leg");
}

TEST(Publish, TwoTracksNeedTwoPayloadTypes) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  Json audio = audio_track();
  audio["payload_type"] = 96;
  EXPECT_EQ(Guest::code(publisher.ask(
                "publish", publication("camera", websocket_leg(), {video_track(), audio}))),
            "bad_request");
  EXPECT_EQ(scene.desk.counts().streams, 0u);
}

TEST(Publish, LegsOfASessionAreLimited) {
  SceneOptions options;
  options.settings.limits.legs_per_session = 3;
  Scene scene(std::move(options));
  Guest client = Guest::greeted(scene);
  const Json leg = client.ask("publish", publication("a"));
  EXPECT_EQ(Guest::code(client.ask("publish", publication("b"))), "ok");
  EXPECT_EQ(Guest::code(client.ask("subscribe", subscription("a"))), "ok");
  EXPECT_EQ(Guest::code(client.ask("subscribe", subscription("b"))), "limit_reached");
  EXPECT_EQ(Guest::code(client.ask("publish", publication("c"))), "limit_reached");
  client.ask("unpublish", {{"leg", leg["leg"]}});
  EXPECT_EQ(Guest::code(client.ask("publish", publication("c"))), "ok");
}

TEST(Publish, StreamsAreLimited) {
  SceneOptions options;
  options.settings.limits.streams = 2;
  Scene scene(std::move(options));
  Guest client = Guest::greeted(scene);
  EXPECT_EQ(Guest::code(client.ask("publish", publication("a"))), "ok");
  EXPECT_EQ(Guest::code(client.ask("publish", publication("b"))), "ok");
  EXPECT_EQ(Guest::code(client.ask("publish", publication("c"))), "full");
  EXPECT_EQ(scene.relay_count(), 2u);
}

}  // namespace
}  // namespace runnel::session
