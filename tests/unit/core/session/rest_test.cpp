// REST: the same requests by HTTP, and what each answer looks like.
#include "guest.h"

namespace runnel::session {
namespace {

using auth::Action;
using auth::Permissions;

Json srtp_publication() {
  Json body = publication("x", {{"srtp", {{"suites", {"AES_CM_128_HMAC_SHA1_80"}}}}});
  body.erase("stream");
  return body;
}
Json srtp_subscription(std::string_view to = "192.0.2.20:6000") {
  return {{"leg", {{"srtp", {{"suites", {"AES_CM_128_HMAC_SHA1_80"}}, {"to", to}}}}}};
}
std::string code_of(const RestAnswer& answer) {
  return Json::parse(answer.body)["code"];
}

constexpr std::string_view kPublication = "/v1/streams/camera/publication";
constexpr std::string_view kSubscriptions = "/v1/streams/camera/subscriptions";

TEST(Rest, PublishesAndUnpublishes) {
  Scene scene;
  const RestAnswer made = scene.rest("POST", kPublication, srtp_publication());
  EXPECT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.location, kPublication);
  EXPECT_EQ(Json::parse(made.body)["role"], "publication");
  EXPECT_EQ(scene.rest("POST", kPublication, srtp_publication()).status, 409);
  EXPECT_FALSE(scene.rest("POST", kPublication, srtp_publication()).retry_after.has_value());
  EXPECT_EQ(scene.rest("DELETE", kPublication).status, 200);
  const RestAnswer gone = scene.rest("DELETE", kPublication);
  EXPECT_EQ(gone.status, 404);
  EXPECT_EQ(code_of(gone), "unknown_stream");
}

TEST(Rest, SubscribesChangesLooksAndUnsubscribes) {
  Scene scene;
  scene.rest("POST", kPublication, srtp_publication());
  const RestAnswer made = scene.rest("POST", kSubscriptions, srtp_subscription());
  ASSERT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.location, std::string(kSubscriptions) + "/2");
  EXPECT_EQ(scene.rest("PATCH", made.location, {{"paused", true}}).status, 200);
  const RestAnswer stats = scene.rest("GET", made.location);
  EXPECT_EQ(stats.status, 200);
  EXPECT_EQ(Json::parse(stats.body)["to"][0]["paused"], true);
  EXPECT_EQ(scene.rest("DELETE", made.location).status, 200);
  EXPECT_EQ(scene.rest("DELETE", made.location).status, 404);
}

TEST(Rest, ListsStreamsAndTheirStatistics) {
  Scene scene;
  scene.rest("POST", kPublication, srtp_publication());
  scene.rest("POST", "/v1/streams/studio/publication", srtp_publication());
  const RestAnswer all = scene.rest("GET", "/v1/streams");
  EXPECT_EQ(all.status, 200);
  EXPECT_EQ(Json::parse(all.body)["streams"].size(), 2u);
  const RestAnswer some = scene.rest("GET", "/v1/streams?prefix=cam");
  EXPECT_EQ(Json::parse(some.body)["streams"].size(), 1u);
  EXPECT_EQ(scene.rest("GET", "/v1/streams/camera").status, 200);
  EXPECT_EQ(scene.rest("GET", "/v1/streams/nothing").status, 404);
}

TEST(Rest, TellsWhichMethodsThereAre) {
  Scene scene;
  const RestAnswer answer = scene.rest("PUT", kPublication);
  EXPECT_EQ(answer.status, 405);
  EXPECT_EQ(answer.allow, "POST, DELETE");
  EXPECT_EQ(scene.rest("GET", "/v1/streams/camera/other").status, 404);
  EXPECT_EQ(scene.rest("GET", "/v1/streams/%ff").status, 400);
}

TEST(Rest, TakesNoNamesThatSignallingWouldNot) {
  Scene scene;
  EXPECT_EQ(scene.rest("POST", "/v1/streams/a%20b/publication", srtp_publication()).status, 400);
  EXPECT_EQ(scene.rest("POST", "/v1/streams/a%22%0d/publication", srtp_publication()).status, 400);
  EXPECT_EQ(scene.rest("GET", "/v1/streams/%E2%82%AC").status, 404);
  EXPECT_EQ(scene.desk.counts().streams, 0u);
}

TEST(Rest, AWebSocketLegNeedsAWebSocket) {
  Scene scene;
  Json body = publication("camera");
  const RestAnswer answer = scene.rest("POST", kPublication, body);
  EXPECT_EQ(answer.status, 400);
  EXPECT_EQ(code_of(answer), "unsupported_leg");
  EXPECT_EQ(scene.desk.counts().streams, 0u);
  EXPECT_EQ(scene.desk.counts().sessions, 0u);
}

TEST(Rest, DoesNotWaitForAStream) {
  Scene scene;
  Json body = srtp_subscription();
  body["wait_ms"] = 5000;
  const RestAnswer answer = scene.rest("POST", kSubscriptions, body);
  EXPECT_EQ(answer.status, 409);
  EXPECT_EQ(code_of(answer), "stream_not_live");
}

TEST(Rest, NeedsAToken) {
  SceneOptions options;
  options.auth = tokens_only(static_token("alice", Permissions::everything()),
                             static_token("watcher", may("*", Action::watch)));
  options.settings.limits.failed_tries = 2;
  Scene scene(std::move(options));
  EXPECT_EQ(scene.rest("GET", "/v1/streams").status, 401);
  EXPECT_EQ(scene.rest("GET", "/v1/streams", {}, token_of("alice")).status, 200);
  EXPECT_EQ(scene.rest("POST", kPublication, srtp_publication(), token_of("watcher")).status, 403);
  EXPECT_EQ(scene.rest("GET", "/v1/streams", {}, "wrong-token-1").status, 401);
  EXPECT_EQ(scene.rest("GET", "/v1/streams", {}, "wrong-token-2").status, 401);
  const RestAnswer limited = scene.rest("GET", "/v1/streams", {}, "wrong-token-3");
  EXPECT_EQ(limited.status, 429);
  EXPECT_TRUE(limited.retry_after.has_value());
}

TEST(Rest, LegsBelongToTheirToken) {
  SceneOptions options;
  options.auth = tokens_only(static_token("alice", Permissions::everything()),
                             static_token("bob", may("*", Action::subscribe, Action::publish)));
  Scene scene(std::move(options));
  scene.rest("POST", kPublication, srtp_publication(), token_of("alice"));
  const RestAnswer made =
      scene.rest("POST", kSubscriptions, srtp_subscription(), token_of("alice"));
  ASSERT_EQ(made.status, 201);
  EXPECT_EQ(scene.rest("DELETE", made.location, {}, token_of("bob")).status, 404);
  EXPECT_EQ(scene.rest("GET", made.location, {}, token_of("bob")).status, 404);
  EXPECT_EQ(scene.rest("DELETE", kPublication, {}, token_of("bob")).status, 403);
  EXPECT_EQ(scene.rest("DELETE", std::string(kSubscriptions) + "/1", {}, token_of("alice")).status,
            404)
      << "leg 1 is a publication";
  EXPECT_EQ(scene.rest("GET", std::string(kSubscriptions) + "/1", {}, token_of("alice")).status,
            404);
}

TEST(Rest, AnAdministratorEndsWhatOthersPublish) {
  SceneOptions options;
  options.auth = tokens_only(static_token("root", may("*", Action::admin)),
                             static_token("alice", may("*", Action::publish)));
  Scene scene(std::move(options));
  Guest alice = Guest::greeted(scene, token_of("alice"));
  alice.ask("publish", publication("camera"));
  EXPECT_EQ(scene.rest("DELETE", kPublication, {}, token_of("root")).status, 200);
  const auto ended = alice.events("leg_ended");
  ASSERT_EQ(ended.size(), 1u);
  EXPECT_EQ(ended[0]["reason"], "stopped");
}

SceneOptions patient() {
  SceneOptions options;
  options.settings.limits.hold = std::chrono::hours(2);
  return options;
}

TEST(Rest, APublicationThatNeverBeginsEndsAfterAWhile) {
  Scene scene;
  EXPECT_EQ(scene.rest("POST", kPublication, srtp_publication()).status, 201);
  scene.advance(seconds(29));
  EXPECT_EQ(scene.desk.counts().publications, 1u);
  scene.advance(seconds(1));
  EXPECT_EQ(scene.desk.counts().publications, 0u);
  EXPECT_EQ(scene.relay_count(), 0u);
}

TEST(Rest, LegsHaveALimitOfTheirOwn) {
  SceneOptions options;
  options.settings.limits.rest_legs = 2;
  options.settings.limits.legs_per_session = 1;
  Scene scene(std::move(options));
  EXPECT_EQ(scene.rest("POST", kPublication, srtp_publication()).status, 201);
  EXPECT_EQ(scene.rest("POST", kSubscriptions, srtp_subscription()).status, 201);
  EXPECT_EQ(code_of(scene.rest("POST", kSubscriptions, srtp_subscription())), "limit_reached");
}

TEST(Rest, ASessionWithoutLegsDoesNotStay) {
  Scene scene(patient());
  scene.rest("GET", "/v1/streams");
  EXPECT_EQ(scene.desk.counts().sessions, 0u);
  scene.rest("POST", kPublication, srtp_publication());
  EXPECT_EQ(scene.desk.counts().sessions, 1u);
  scene.advance(seconds(120));
  EXPECT_EQ(scene.desk.counts().sessions, 1u);
  scene.rest("DELETE", kPublication);
  EXPECT_EQ(scene.desk.counts().sessions, 0u);
  EXPECT_EQ(scene.relay_count(), 0u);
}

TEST(Rest, ASessionEndsWhenOthersHaveEndedItsLegs) {
  Scene scene;
  scene.rest("POST", kPublication, srtp_publication());
  Guest client = Guest::greeted(scene);
  Json wish = publication("camera", {{"srtp", {{"suites", {"AES_CM_128_HMAC_SHA1_80"}}}}});
  wish["take_over"] = true;
  EXPECT_EQ(Guest::code(client.ask("publish", wish)), "ok");
  scene.advance(milliseconds(1));
  EXPECT_EQ(scene.desk.counts().sessions, 1u);
}

auth::StaticToken of_alice(std::string_view text, Permissions permissions, std::int64_t after) {
  return {"alice", auth::TokenDigest(text), std::move(permissions),
          auth::WallTime(seconds(Scene::kStart + after))};
}

TEST(Rest, ALaterTokenThatAllowsItKeepsTheLegsOfAnEarlierOne) {
  SceneOptions options = patient();
  options.auth = tokens_only(of_alice("for-a-minute-only", Permissions::everything(), 60),
                             of_alice("for-an-hour-or-so", Permissions::everything(), 3600));
  Scene scene(std::move(options));
  scene.rest("POST", kPublication, srtp_publication(), "for-a-minute-only");
  scene.rest("GET", "/v1/streams", {}, "for-an-hour-or-so");
  scene.rest("GET", "/v1/streams", {}, "for-a-minute-only");
  scene.advance(seconds(100));
  EXPECT_EQ(scene.desk.counts().publications, 1u);
  scene.advance(seconds(3500));
  EXPECT_EQ(scene.desk.counts().publications, 0u);
}

TEST(Rest, ALaterTokenThatAllowsLessKeepsNothing) {
  SceneOptions options;
  options.auth = tokens_only(of_alice("for-a-minute-only", Permissions::everything(), 60),
                             of_alice("for-an-hour-or-so", may("*", Action::watch), 3600));
  Scene scene(std::move(options));
  scene.rest("POST", kPublication, srtp_publication(), "for-a-minute-only");
  scene.rest("GET", "/v1/streams", {}, "for-an-hour-or-so");
  scene.advance(seconds(60));
  EXPECT_EQ(scene.desk.counts().publications, 0u);
}

TEST(Rest, ATokenThatExpiresTakesItsLegsAlong) {
  SceneOptions options = patient();
  options.auth = tokens_only(of_alice("for-a-minute-only", Permissions::everything(), 60));
  Scene scene(std::move(options));
  scene.rest("POST", kPublication, srtp_publication(), "for-a-minute-only");
  scene.advance(seconds(59));
  EXPECT_EQ(scene.desk.counts().publications, 1u);
  scene.advance(seconds(1));
  EXPECT_EQ(scene.desk.counts().publications, 0u);
  EXPECT_EQ(scene.desk.counts().sessions, 0u);
}

TEST(Rest, RequestsAreLimited) {
  SceneOptions options;
  options.settings.limits.client_requests_per_second = 5;
  Scene scene(std::move(options));
  for (int i = 0; i < 10; ++i) EXPECT_EQ(scene.rest("GET", "/v1/streams").status, 200);
  EXPECT_EQ(scene.rest("GET", "/v1/streams").status, 429);
  EXPECT_EQ(scene.rest("GET", "/v1/streams", {}, {}, "192.0.2.21").status, 200);
  scene.advance(milliseconds(200));
  EXPECT_EQ(scene.rest("GET", "/v1/streams").status, 200);
}

TEST(Rest, WrongTokensThatComeTooFastAreNotEvenLookedAt) {
  SceneOptions options;
  options.auth = tokens_only(static_token("alice", Permissions::everything()));
  options.settings.limits.client_requests_per_second = 5;
  Scene scene(std::move(options));
  for (int i = 0; i < 10; ++i) scene.rest("GET", "/v1/streams", {}, "wrong-token-1");
  const RestAnswer refused = scene.rest("GET", "/v1/streams", {}, token_of("alice"));
  EXPECT_EQ(refused.status, 429);
  EXPECT_EQ(Json::parse(refused.body)["detail"], "requests come too fast");
}

TEST(Rest, BodiesAreLookedAt) {
  Scene scene;
  EXPECT_EQ(scene.rest("POST", kPublication, Json::array()).status, 400);
  Json other = srtp_publication();
  other["stream"] = "studio";
  EXPECT_EQ(scene.rest("POST", kPublication, other).status, 400);
  EXPECT_EQ(scene.rest("PATCH", std::string(kSubscriptions) + "/99999999999999999999").status, 404);
}

// Streams of the configuration.

SceneOptions with_configured(std::size_t relay) {
  SceneOptions options;
  options.settings.configured = {
      {.stream = "yaml",
       .relay = relay,
       .tracks = {{.name = "video",
                   .codec = *rtp::Codec::parse(rtp::MediaKind::video, "VP8/90000"),
                   .payload_type = 96}}}};
  return options;
}

TEST(Configured, StreamsCanBeSubscribedToAndNotPublished) {
  Scene scene(with_configured(0));
  relay::RelayDescription relay;
  relay.stream = "yaml";
  relay::SourceMedium& medium = relay.from.media.emplace_back();
  medium.name = "video";
  medium.codec = *rtp::Codec::parse(rtp::MediaKind::video, "VP8/90000");
  medium.ports.rtp = relay::PortIndex{7};
  ASSERT_EQ(scene.engine.add_relay(std::move(relay)).value(), 0u);
  scene.settle();

  Guest client = Guest::greeted(scene);
  Json wish = publication("yaml");
  EXPECT_EQ(Guest::code(client.ask("publish", wish)), "stream_busy");
  wish["take_over"] = true;
  EXPECT_EQ(Guest::code(client.ask("publish", wish)), "stream_busy");
  const Json leg = client.ask("subscribe", subscription("yaml"));
  EXPECT_EQ(Guest::code(leg), "ok");
  for (std::uint16_t i = 0; i < 3; ++i) {
    Bytes bytes = vp8_packet(i, true);
    const relay::IncomingDatagram datagram{.port = relay::PortIndex{7},
                                           .remote = *SocketAddress::parse("192.0.2.99:1000"),
                                           .bytes = bytes};
    scene.engine.handle_datagrams(scene.moment.now, {&datagram, 1});
    scene.settle();
  }
  EXPECT_FALSE(client.media().empty());
  EXPECT_EQ(Guest::code(client.ask("unsubscribe", {{"leg", leg["leg"]}})), "ok");
  EXPECT_EQ(scene.rest("DELETE", "/v1/streams/yaml/publication").status, 404);
  EXPECT_EQ(scene.desk.counts().streams, 1u);
  EXPECT_EQ(scene.relay_count(), 1u);
}

}  // namespace
}  // namespace runnel::session
