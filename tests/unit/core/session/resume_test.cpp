// Sessions outlive their connections: resuming, and what ends them for good.
#include "guest.h"

namespace runnel::session {
namespace {

using auth::Action;
using auth::Permissions;

struct Gone {
  explicit Gone(Scene& scene, std::string_view token = {})
      : publisher(Guest::greeted(scene, token)), subscriber(scene, token) {
    session = subscriber.ask("hello")["session"];
    published = publisher.ask("publish", publication("camera"));
    subscribed = subscriber.ask("subscribe", subscription("camera"));
    EXPECT_EQ(Guest::code(subscribed), "ok");
  }

  Guest publisher;
  Guest subscriber;
  std::string session;
  Json published;
  Json subscribed;
};

Json resuming(const std::string& session) {
  return {{"resume", session}};
}

TEST(Resume, FindsTheLegsAndTheMediaGoesOn) {
  Scene scene;
  Gone gone(scene);
  gone.subscriber.disconnect();
  scene.advance(seconds(20));
  gone.publisher.send_packet(channel_of(gone.published), vp8_packet(1, true));
  Guest again(scene);
  const Json answer = again.ask("hello", resuming(gone.session));
  EXPECT_EQ(answer["resumed"], true);
  EXPECT_EQ(answer["session"], gone.session);
  ASSERT_EQ(answer["legs"].size(), 1u);
  EXPECT_EQ(answer["legs"][0]["leg"], gone.subscribed["leg"]);
  EXPECT_EQ(answer["legs"][0]["stream"], "camera");
  EXPECT_EQ(channel_of(answer["legs"][0]), channel_of(gone.subscribed));
  gone.publisher.send_packet(channel_of(gone.published), vp8_packet(2, true));
  EXPECT_EQ(again.media().size(), 1u);
  scene.advance(seconds(60));
  EXPECT_EQ(scene.desk.counts().sessions, 2u);
}

TEST(Resume, APublisherGoesOnSending) {
  Scene scene;
  Guest publisher(scene);
  const std::string session = publisher.ask("hello")["session"];
  const Json published = publisher.ask("publish", publication("camera"));
  Guest subscriber = Guest::greeted(scene);
  subscriber.ask("subscribe", subscription("camera"));
  publisher.disconnect();
  Guest again(scene);
  again.ask("hello", resuming(session));
  again.send_packet(channel_of(published), vp8_packet(1, true));
  EXPECT_EQ(subscriber.media().size(), 1u);
}

TEST(Resume, WhoIsAwayIsPaused) {
  Scene scene;
  Gone gone(scene);
  gone.subscriber.disconnect();
  EXPECT_EQ(gone.publisher.ask("stats", {{"stream", "camera"}})["to"][0]["paused"], true);
  Guest again(scene);
  again.ask("hello", resuming(gone.session));
  EXPECT_EQ(gone.publisher.ask("stats", {{"stream", "camera"}})["to"][0]["paused"], false);
}

TEST(Resume, WhatTheClientHadPausedStaysSo) {
  Scene scene;
  Gone gone(scene);
  gone.subscriber.ask("update", {{"leg", gone.subscribed["leg"]}, {"paused", true}});
  gone.subscriber.disconnect();
  Guest again(scene);
  EXPECT_EQ(again.ask("hello", resuming(gone.session))["legs"][0]["paused"], true);
  gone.publisher.send_packet(channel_of(gone.published), vp8_packet(1, true));
  EXPECT_TRUE(again.media().empty());
}

TEST(Resume, IsPossibleUntilHoldIsOver) {
  Scene scene;
  Gone gone(scene);
  gone.subscriber.disconnect();
  scene.advance(seconds(30));
  EXPECT_EQ(scene.desk.counts().subscriptions, 0u);
  Guest again(scene);
  EXPECT_EQ(Guest::code(again.ask("hello", resuming(gone.session))), "unknown_session");
  EXPECT_EQ(Guest::code(again.ask("hello")), "ok");
}

TEST(Resume, AnotherTokenDoesNotGetTheSession) {
  SceneOptions options;
  options.auth = tokens_only(static_token("alice", Permissions::everything()),
                             static_token("mallory", Permissions::everything()));
  Scene scene(std::move(options));
  Gone gone(scene, token_of("alice"));
  gone.subscriber.disconnect();
  Guest mallory(scene, token_of("mallory"));
  EXPECT_EQ(Guest::code(mallory.ask("hello", resuming(gone.session))), "unknown_session");
  EXPECT_TRUE(gone.publisher.events("leg_ended").empty());
}

TEST(Resume, WithATokenThatAllowsLessTheRestEnds) {
  SceneOptions options;
  const auto token_named_alice = [](std::string_view text, Permissions permissions) {
    return auth::StaticToken{"alice", auth::TokenDigest(text), std::move(permissions), {}};
  };
  options.auth = tokens_only(token_named_alice("all-that-there-is", Permissions::everything()),
                             token_named_alice("subscribing-alone", may("*", Action::subscribe)));
  Scene scene(std::move(options));
  Guest client(scene, "all-that-there-is");
  const std::string session = client.ask("hello")["session"];
  client.ask("publish", publication("camera"));
  client.ask("publish", publication("studio"));
  const Json leg = client.ask("subscribe", subscription("camera"));
  client.disconnect();
  Guest again(scene, "subscribing-alone");
  const Json answer = again.ask("hello", resuming(session));
  ASSERT_EQ(answer["legs"].size(), 1u);
  EXPECT_EQ(answer["legs"][0]["leg"], leg["leg"]);
  EXPECT_EQ(scene.desk.counts().publications, 0u);
  EXPECT_EQ(scene.desk.counts().streams, 1u) << "camera waits for another publisher";
}

TEST(Resume, TakesALivingConnectionOver) {
  Scene scene;
  Gone gone(scene);
  Guest again(scene);
  EXPECT_EQ(again.ask("hello", resuming(gone.session))["resumed"], true);
  EXPECT_EQ(gone.subscriber.close_code(), 1008);
  gone.subscriber.disconnect();
  gone.publisher.send_packet(channel_of(gone.published), vp8_packet(1, true));
  EXPECT_EQ(again.media().size(), 1u);
  EXPECT_TRUE(gone.subscriber.media().empty());
  EXPECT_EQ(scene.desk.counts().sessions, 2u);
}

TEST(Resume, NobodyResumesTheSessionOfAVoiceConnectionOrOfNone) {
  Scene scene;
  ASSERT_TRUE(scene.desk
                  .connect_voice(scene.moment, {*IpAddress::parse("192.0.2.30"), {}}, "support",
                                 Desk::VoiceRole::caller)
                  .has_value());
  Guest client(scene);
  EXPECT_EQ(Guest::code(client.ask("hello", resuming("x"))), "unknown_session");
  EXPECT_EQ(Guest::code(client.ask("hello", resuming(""))), "bad_request");
}

TEST(Bye, EndsTheSessionAtOnce) {
  Scene scene;
  Gone gone(scene);
  EXPECT_EQ(Guest::code(gone.subscriber.ask("bye")), "ok");
  EXPECT_EQ(gone.subscriber.close_code(), 1000);
  EXPECT_EQ(scene.desk.counts().subscriptions, 0u);
  EXPECT_EQ(scene.desk.counts().sessions, 1u);
  gone.subscriber.disconnect();
  Guest again(scene);
  EXPECT_EQ(Guest::code(again.ask("hello", resuming(gone.session))), "unknown_session");
}

TEST(Disconnect, WithoutLegsNothingStays) {
  Scene scene;
  Guest client = Guest::greeted(scene);
  client.ask("watch");
  client.disconnect();
  EXPECT_EQ(scene.desk.counts().sessions, 0u);
  EXPECT_FALSE(scene.desk.next_timeout().has_value());
}

TEST(Disconnect, IsHarmlessTwiceAndOfStrangers) {
  Scene scene;
  Guest client = Guest::greeted(scene);
  client.disconnect();
  client.disconnect();
  client.send("{}");
  client.send_binary(Bytes{0x10, 0, 0, 1, 1});
  scene.desk.disconnect(scene.moment, ConnectionId{999});
  EXPECT_EQ(scene.desk.counts().connections, 0u);
}

TEST(ShutDown, TellsEverybodyAndClosesWith1001) {
  Scene scene;
  Gone gone(scene);
  scene.desk.shut_down(scene.moment);
  scene.settle();
  const auto ended = gone.subscriber.events("leg_ended");
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0]["reason"], "shutting_down");
  EXPECT_EQ(gone.subscriber.close_code(), 1001);
  EXPECT_EQ(gone.publisher.close_code(), 1001);
  const auto refused = scene.desk.connect(scene.moment, {*IpAddress::parse("192.0.2.9"), {}});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, signalling::ErrorCode::shutting_down);
  EXPECT_TRUE(gone.publisher.ask("watch").is_null());
  gone.publisher.disconnect();
  gone.subscriber.disconnect();
  scene.advance(seconds(60));
  EXPECT_EQ(scene.desk.counts().sessions, 0u);
}

}  // namespace
}  // namespace runnel::session
