// Subscribing: to what is there, to what may come, and what can be changed afterwards.
#include "guest.h"

namespace runnel::session {
namespace {

Json waiting(std::string_view stream, int milliseconds) {
  Json wish = subscription(stream);
  wish["wait_ms"] = milliseconds;
  return wish;
}

TEST(Subscribe, ToNothingIsAnsweredAtOnceWithoutWait) {
  Scene scene;
  Guest client = Guest::greeted(scene);
  const Json answer = client.ask("subscribe", subscription("camera"));
  EXPECT_EQ(Guest::code(answer), "stream_not_live");
  EXPECT_EQ(answer["error"]["status"], 409);
  EXPECT_EQ(scene.desk.counts().streams, 0u);
}

TEST(Subscribe, WaitsForTheStream) {
  Scene scene;
  Guest subscriber = Guest::greeted(scene);
  Guest publisher = Guest::greeted(scene);
  EXPECT_TRUE(subscriber.ask("subscribe", waiting("camera", 5000)).is_null());
  scene.advance(seconds(4));
  publisher.ask("publish", publication("camera"));
  const Json answer = subscriber.answer_to(subscriber.last_id());
  EXPECT_EQ(Guest::code(answer), "ok");
  EXPECT_EQ(answer["stream"], "camera");
  scene.advance(seconds(10));
  EXPECT_TRUE(subscriber.answer_to(subscriber.last_id()).is_null()) << "it is answered once";
}

TEST(Subscribe, ThoseWhoWaitAreServedInTheOrderInWhichTheyCame) {
  Scene scene;
  Guest one = Guest::greeted(scene);
  Guest two = Guest::greeted(scene);
  Guest publisher = Guest::greeted(scene);
  one.ask("subscribe", waiting("other", 5000));
  one.ask("subscribe", waiting("camera", 5000));
  two.ask("subscribe", waiting("camera", 5000));
  publisher.ask("publish", publication("camera"));
  EXPECT_EQ(scene.desk.counts().subscriptions, 2u);
  EXPECT_EQ(Guest::code(one.answer_to(one.last_id())), "ok");
  EXPECT_EQ(Guest::code(two.answer_to(two.last_id())), "ok");
}

TEST(Subscribe, GivesUpWhenTheWaitIsOver) {
  Scene scene;
  Guest subscriber = Guest::greeted(scene);
  subscriber.ask("subscribe", waiting("camera", 5000));
  scene.advance(milliseconds(4999));
  EXPECT_TRUE(subscriber.answer_to(subscriber.last_id()).is_null());
  scene.advance(milliseconds(1));
  EXPECT_EQ(Guest::code(subscriber.answer_to(subscriber.last_id())), "stream_not_live");
}

TEST(Subscribe, NobodyWaitsLongerThanTheServerLikes) {
  SceneOptions options;
  options.settings.limits.longest_wait = seconds(10);
  Scene scene(std::move(options));
  Guest subscriber = Guest::greeted(scene);
  subscriber.ask("subscribe", waiting("camera", 300'000));
  scene.advance(seconds(10));
  EXPECT_EQ(Guest::code(subscriber.answer_to(subscriber.last_id())), "stream_not_live");
}

TEST(Subscribe, AWaitEndsWithItsConnection) {
  Scene scene;
  Guest subscriber(scene);
  const Json hello = subscriber.ask("hello");
  subscriber.ask("publish", publication("own"));
  subscriber.ask("subscribe", waiting("camera", 60'000));
  subscriber.disconnect();
  Guest publisher = Guest::greeted(scene);
  publisher.ask("publish", publication("camera"));
  EXPECT_EQ(scene.desk.counts().subscriptions, 0u);
  Guest again(scene);
  EXPECT_EQ(again.ask("hello", {{"resume", hello["session"]}})["legs"].size(), 1u);
}

TEST(Subscribe, AWaitOfASessionThatIsGoneIsForgotten) {
  Scene scene;
  Guest subscriber = Guest::greeted(scene);
  Guest publisher = Guest::greeted(scene);
  subscriber.ask("subscribe", waiting("camera", 60'000));
  subscriber.ask("bye");
  subscriber.disconnect();
  publisher.ask("publish", publication("camera"));
  EXPECT_EQ(scene.desk.counts().subscriptions, 0u);
  EXPECT_EQ(scene.desk.counts().sessions, 1u);
}

TEST(Subscribe, WaitsCountAsLegs) {
  SceneOptions options;
  options.settings.limits.legs_per_session = 2;
  Scene scene(std::move(options));
  Guest client = Guest::greeted(scene);
  EXPECT_TRUE(client.ask("subscribe", waiting("a", 5000)).is_null());
  EXPECT_TRUE(client.ask("subscribe", waiting("b", 5000)).is_null());
  EXPECT_EQ(Guest::code(client.ask("subscribe", waiting("c", 5000))), "limit_reached");
  scene.advance(seconds(5));
  EXPECT_TRUE(client.ask("subscribe", waiting("c", 5000)).is_null());
}

TEST(Subscribe, ToSomeOfTheTracks) {
  Scene scene;
  Guest client = Guest::greeted(scene);
  const Json published =
      client.ask("publish", publication("camera", websocket_leg(), {video_track(), audio_track()}));
  Json wish = subscription("camera");
  wish["tracks"] = Json::array({{{"name", "audio"}, {"payload_type", 100}}});
  const Json leg = client.ask("subscribe", wish);
  ASSERT_EQ(leg["tracks"].size(), 1u);
  EXPECT_EQ(leg["tracks"][0]["payload_type"], 100);
  client.send_packet(channel_of(published, 0), vp8_packet(1, true));
  client.send_packet(channel_of(published, 1), packet({.payload_type = 111, .ssrc = 3}));
  const auto media = client.media();
  ASSERT_EQ(media.size(), 1u);
  EXPECT_EQ(view_of(body_of(media[0])).payload_type(), 100);
  wish["tracks"] = Json::array({{{"name", "text"}}});
  EXPECT_EQ(Guest::code(client.ask("subscribe", wish)), "unknown_track");
}

TEST(Subscribe, SubscribersOfAStreamAreLimited) {
  SceneOptions options;
  options.settings.limits.subscriptions_per_stream = 2;
  Scene scene(std::move(options));
  Guest client = Guest::greeted(scene);
  client.ask("publish", publication("camera"));
  EXPECT_EQ(Guest::code(client.ask("subscribe", subscription("camera"))), "ok");
  EXPECT_EQ(Guest::code(client.ask("subscribe", subscription("camera"))), "ok");
  EXPECT_EQ(Guest::code(client.ask("subscribe", subscription("camera"))), "full");
}

TEST(Subscribe, UnsubscribingEndsTheMedia) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  Guest subscriber = Guest::greeted(scene);
  const Json published = publisher.ask("publish", publication("camera"));
  const Json leg = subscriber.ask("subscribe", subscription("camera"));
  EXPECT_EQ(Guest::code(publisher.ask("unsubscribe", {{"leg", leg["leg"]}})), "unknown_leg");
  EXPECT_EQ(Guest::code(subscriber.ask("unsubscribe", {{"leg", leg["leg"]}})), "ok");
  publisher.send_packet(channel_of(published), vp8_packet(1, true));
  EXPECT_TRUE(subscriber.media().empty());
  EXPECT_EQ(scene.desk.counts().subscriptions, 0u);
}

TEST(Update, APausedSubscriptionGetsNothingAndGoesOnWithAKeyFrame) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  Guest subscriber = Guest::greeted(scene);
  const Json published = publisher.ask("publish", publication("camera"));
  const std::uint16_t channel = channel_of(published);
  const Json leg = subscriber.ask("subscribe", subscription("camera"));
  publisher.send_packet(channel, vp8_packet(1, true));
  ASSERT_EQ(subscriber.media().size(), 1u);
  scene.advance(seconds(2));
  publisher.events("key_frame");
  EXPECT_EQ(Guest::code(subscriber.ask("update", {{"leg", leg["leg"]}, {"paused", true}})), "ok");
  publisher.send_packet(channel, vp8_packet(2, false));
  EXPECT_TRUE(subscriber.media().empty());
  EXPECT_EQ(Guest::code(subscriber.ask("update", {{"leg", leg["leg"]}, {"paused", false}})), "ok");
  EXPECT_EQ(publisher.events("key_frame").size(), 1u);
  publisher.send_packet(channel, vp8_packet(3, true));
  const auto media = subscriber.media();
  ASSERT_EQ(media.size(), 1u);
  EXPECT_EQ(media[0][1] & 0x03, 0x03) << "a key frame behind a discontinuity";
}

TEST(Update, HalfAFrameBeforeAPauseIsNotDeliveredAfterIt) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  Guest subscriber = Guest::greeted(scene);
  const std::uint16_t channel = channel_of(publisher.ask("publish", publication("camera")));
  const Json leg = subscriber.ask("subscribe", subscription("camera", websocket_leg("frame")));
  Bytes begun = vp8_packet(1, true);
  begun[1] &= 0x7f;
  publisher.send_packet(channel, begun);
  subscriber.ask("update", {{"leg", leg["leg"]}, {"paused", true}});
  subscriber.ask("update", {{"leg", leg["leg"]}, {"paused", false}});
  publisher.send_packet(channel, vp8_packet(2, true));
  const auto media = subscriber.media();
  ASSERT_EQ(media.size(), 1u);
  const ByteView body = body_of(media[0]);
  EXPECT_EQ(Bytes(body.begin(), body.end()), vp8_frame(true, 2));
}

TEST(Update, AKeyFrameCanBeAskedFor) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  Guest subscriber = Guest::greeted(scene);
  const Json published = publisher.ask("publish", publication("camera"));
  const Json leg = subscriber.ask("subscribe", subscription("camera"));
  publisher.send_packet(channel_of(published), vp8_packet(1, true));
  scene.advance(seconds(2));
  publisher.events("key_frame");
  EXPECT_EQ(Guest::code(subscriber.ask("update", {{"leg", leg["leg"]}, {"key_frame", true}})),
            "ok");
  const auto events = publisher.events("key_frame");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0]["leg"], published["leg"]);
  EXPECT_EQ(events[0]["track"], "video");
}

TEST(Update, OfAPublicationIsRefused) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  const Json published = publisher.ask("publish", publication("camera"));
  EXPECT_EQ(Guest::code(publisher.ask("update", {{"leg", published["leg"]}, {"paused", true}})),
            "unknown_leg");
}

TEST(Update, ASubscriptionMayBeginPaused) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  Guest subscriber = Guest::greeted(scene);
  const std::uint16_t channel = channel_of(publisher.ask("publish", publication("camera")));
  Json wish = subscription("camera");
  wish["paused"] = true;
  const Json leg = subscriber.ask("subscribe", wish);
  EXPECT_EQ(leg["paused"], true);
  publisher.send_packet(channel, vp8_packet(1, true));
  EXPECT_TRUE(subscriber.media().empty());
  subscriber.ask("update", {{"leg", leg["leg"]}, {"paused", false}});
  publisher.send_packet(channel, vp8_packet(2, true));
  EXPECT_EQ(subscriber.media().size(), 1u);
}

}  // namespace
}  // namespace runnel::session
