// The beginning of a conversation: versions, tokens, limits on those who fail, and time.
#include "guest.h"

namespace runnel::session {
namespace {

using auth::Action;
using auth::Permissions;

SceneOptions with_alice() {
  SceneOptions options;
  options.auth = tokens_only(static_token("alice", Permissions::everything()));
  return options;
}

Json hello_with(std::string_view token) {
  return {{"token", token}};
}

TEST(Hello, TellsTheSessionItsLimitsAndTheServer) {
  Scene scene;
  Guest client(scene);
  const Json answer = client.ask("hello", {{"versions", {1, 2}}});
  EXPECT_EQ(answer["version"], 1);
  EXPECT_EQ(answer["server"], "runnel test");
  EXPECT_EQ(answer["resumed"], false);
  EXPECT_EQ(answer["hold_ms"], 30'000);
  EXPECT_EQ(answer["limits"]["legs"], 64);
  EXPECT_EQ(answer["limits"]["message_size"], 1024 * 1024);
  EXPECT_GE(answer["session"].get<std::string>().size(), 22u);
  EXPECT_EQ(scene.desk.counts().sessions, 1u);
}

TEST(Hello, TwoSessionsHaveDifferentIds) {
  Scene scene;
  Guest one(scene);
  Guest two(scene);
  EXPECT_NE(one.ask("hello")["session"], two.ask("hello")["session"]);
}

TEST(Hello, NeedsAVersionThatIsSpokenHere) {
  Scene scene;
  Guest client(scene);
  EXPECT_EQ(Guest::code(client.ask("hello", {{"versions", {2, 3}}})), "unsupported_version");
  EXPECT_EQ(Guest::code(client.ask("hello", {{"versions", {2, 1}}})), "ok");
}

TEST(Hello, ComesFirst) {
  Scene scene;
  Guest client(scene);
  EXPECT_EQ(Guest::code(client.ask("watch")), "hello_first");
  EXPECT_EQ(Guest::code(client.ask("hello")), "ok");
  EXPECT_EQ(Guest::code(client.ask("watch")), "ok");
}

TEST(Hello, IsSaidOnce) {
  Scene scene;
  Guest client = Guest::greeted(scene);
  EXPECT_EQ(Guest::code(client.ask("hello")), "bad_request");
  EXPECT_EQ(Guest::code(client.ask("watch")), "ok");
}

TEST(Hello, TakesATokenFromTheHeader) {
  Scene scene(with_alice());
  Guest client(scene, token_of("alice"));
  EXPECT_EQ(Guest::code(client.ask("hello")), "ok");
}

TEST(Hello, TakesATokenOfItsOwn) {
  Scene scene(with_alice());
  Guest client(scene);
  EXPECT_EQ(Guest::code(client.ask("hello", hello_with(token_of("alice")))), "ok");
}

TEST(Hello, WithoutATokenEndsTheConnection) {
  Scene scene(with_alice());
  Guest client(scene);
  EXPECT_EQ(Guest::code(client.ask("hello")), "not_authorized");
  EXPECT_EQ(client.close_code(), 1008);
  EXPECT_TRUE(client.ask("hello", hello_with(token_of("alice"))).is_null());
}

TEST(Hello, WithAWrongTokenEndsTheConnectionAndDoesNotRepeatIt) {
  Scene scene(with_alice());
  Guest client(scene);
  EXPECT_EQ(Guest::code(client.ask("hello", hello_with("wrong-token-wrong-token"))),
            "not_authorized");
  EXPECT_EQ(client.close_code(), 1008);
  for (const std::string& text : client.box().raw_texts) {
    EXPECT_EQ(text.find("wrong-token"), std::string::npos);
  }
  EXPECT_EQ(client.box().closing->reason.find("wrong-token"), std::string::npos);
}

TEST(Hello, WithAnExpiredTokenIsRefused) {
  SceneOptions options;
  options.auth = tokens_only(
      static_token("alice", Permissions::everything(), auth::WallTime(seconds(Scene::kStart))));
  Scene scene(std::move(options));
  Guest client(scene);
  EXPECT_EQ(Guest::code(client.ask("hello", hello_with(token_of("alice")))), "not_authorized");
}

TEST(Hello, AWrongTokenInTheHeaderRefusesTheUpgrade) {
  Scene scene(with_alice());
  const auto refused =
      scene.desk.connect(scene.moment, {*IpAddress::parse("192.0.2.10"), "nobody"});
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, signalling::ErrorCode::not_authorized);
  EXPECT_EQ(scene.desk.counts().connections, 0u);
}

TEST(Hello, AfterTooManyFailedTriesAnAddressHasToWaitUnlessItsTokenIsRight) {
  SceneOptions options = with_alice();
  options.settings.limits.failed_tries = 3;
  Scene scene(std::move(options));
  const auto try_token = [&](std::string_view token, std::string_view address) {
    Guest client(scene, {}, address);
    return Guest::code(client.ask("hello", hello_with(token)));
  };
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(try_token("wrong-token-0123456", "192.0.2.66"), "not_authorized");
  }
  EXPECT_EQ(try_token(token_of("alice"), "192.0.2.66"), "ok");
  EXPECT_EQ(try_token("wrong-token-0123456", "192.0.2.66"), "not_authorized");
  EXPECT_EQ(try_token("wrong-token-0123456", "192.0.2.66"), "rate_limited");
  EXPECT_EQ(try_token("wrong-token-0123456", "192.0.2.67"), "not_authorized");
  EXPECT_EQ(try_token(token_of("alice"), "192.0.2.66"), "ok");
  scene.advance(seconds(61));
  EXPECT_EQ(try_token("wrong-token-0123456", "192.0.2.66"), "not_authorized");
}

TEST(Hello, WhoHasNoTokenGuessesNone) {
  SceneOptions options = with_alice();
  options.settings.limits.failed_tries = 1;
  Scene scene(std::move(options));
  for (int i = 0; i < 5; ++i) {
    Guest client(scene);
    EXPECT_EQ(Guest::code(client.ask("hello")), "not_authorized");
  }
}

TEST(Hello, HasToComeInTime) {
  Scene scene;
  Guest slow(scene);
  Guest quick = Guest::greeted(scene);
  scene.advance(seconds(9));
  EXPECT_EQ(slow.close_code(), 0);
  scene.advance(seconds(1));
  EXPECT_EQ(slow.close_code(), 1008);
  EXPECT_EQ(quick.close_code(), 0);
}

TEST(Hello, SessionsAreLimitedForEachTokenAndInAll) {
  SceneOptions options;
  options.auth = tokens_only(static_token("alice", Permissions::everything()),
                             static_token("bob", Permissions::everything()));
  options.settings.limits.sessions_per_client = 2;
  options.settings.limits.sessions = 3;
  Scene scene(std::move(options));
  const auto try_hello = [&](std::string_view name) {
    Guest client(scene, token_of(name));
    return Guest::code(client.ask("hello"));
  };
  EXPECT_EQ(try_hello("alice"), "ok");
  EXPECT_EQ(try_hello("alice"), "ok");
  EXPECT_EQ(try_hello("alice"), "limit_reached");
  EXPECT_EQ(try_hello("bob"), "ok");
  EXPECT_EQ(try_hello("bob"), "full");
  EXPECT_EQ(scene.desk.counts().sessions, 3u);
}

TEST(Hello, ATokenThatExpiresEndsItsSession) {
  SceneOptions options;
  options.auth = tokens_only(static_token("alice", Permissions::everything(),
                                          auth::WallTime(seconds(Scene::kStart + 60))));
  Scene scene(std::move(options));
  Guest client = Guest::greeted(scene, token_of("alice"));
  EXPECT_EQ(Guest::code(client.ask("publish", publication("camera"))), "ok");
  scene.advance(seconds(59));
  EXPECT_EQ(client.close_code(), 0);
  scene.advance(seconds(1));
  EXPECT_EQ(client.close_code(), 1008);
  EXPECT_EQ(scene.desk.counts().sessions, 0u);
  EXPECT_EQ(scene.desk.counts().streams, 0u);
  EXPECT_EQ(scene.relay_count(), 0u);
}

TEST(Hello, ATokenMayBeValidForLongerThanAnyClockCounts) {
  SceneOptions options;
  options.auth = tokens_only(
      static_token("alice", Permissions::everything(), auth::WallTime(seconds(253'402'300'799))),
      static_token("bob", Permissions::everything(),
                   auth::WallTime(seconds(9'000'000'000'000'000))));
  Scene scene(std::move(options));
  Guest alice = Guest::greeted(scene, token_of("alice"));
  Guest bob = Guest::greeted(scene, token_of("bob"));
  scene.advance(seconds(10));
  EXPECT_EQ(alice.close_code(), 0);
  EXPECT_EQ(bob.close_code(), 0);
}

TEST(Hello, ATokenExpiresByTheCalendarWhenThatIsSet) {
  SceneOptions options;
  options.auth = tokens_only(static_token("alice", Permissions::everything(),
                                          auth::WallTime(seconds(Scene::kStart + 7200))));
  Scene scene(std::move(options));
  Guest client = Guest::greeted(scene, token_of("alice"));
  scene.moment.unix_microseconds -= 3600LL * 1'000'000;
  scene.advance(seconds(7300));
  EXPECT_EQ(client.close_code(), 0);
  scene.advance(seconds(3600));
  EXPECT_EQ(client.close_code(), 1008);
}

}  // namespace
}  // namespace runnel::session
