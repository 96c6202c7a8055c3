// What is told without media: watched streams, statistics, reports, and how often one may ask.
#include "guest.h"

namespace runnel::session {
namespace {

using auth::Action;
using auth::Permissions;

std::vector<std::string> what_of(const std::vector<Json>& events) {
  std::vector<std::string> what;
  for (const Json& event : events) what.push_back(event["what"]);
  return what;
}

TEST(Watch, ListsWhatIsThereByPrefix) {
  Scene scene;
  Guest client = Guest::greeted(scene);
  for (const char* name : {"camera-2", "camera-1", "studio"}) {
    client.ask("publish", publication(name));
  }
  const Json answer = client.ask("watch", {{"prefix", "camera-"}});
  ASSERT_EQ(answer["streams"].size(), 2u);
  EXPECT_EQ(answer["streams"][0]["stream"], "camera-1");
  EXPECT_EQ(answer["streams"][0]["state"], "waiting");
  EXPECT_EQ(answer["streams"][0]["tracks"][0]["name"], "video");
}

TEST(Watch, TellsWhatHappensToAStream) {
  Scene scene;
  Guest watcher = Guest::greeted(scene);
  Guest publisher = Guest::greeted(scene);
  watcher.ask("watch", {{"prefix", "camera"}});
  const Json leg = publisher.ask("publish", publication("camera"));
  EXPECT_EQ(what_of(watcher.events("stream")), std::vector<std::string>{"tracks"});
  publisher.send_packet(channel_of(leg), vp8_packet(1, true));
  const auto started = watcher.events("stream");
  EXPECT_EQ(what_of(started), std::vector<std::string>{"started"});
  EXPECT_EQ(started[0]["state"], "live");
  scene.advance(seconds(6));
  EXPECT_EQ(what_of(watcher.events("stream")), std::vector<std::string>{"stalled"});
  publisher.send_packet(channel_of(leg), vp8_packet(2, true));
  EXPECT_EQ(what_of(watcher.events("stream")), std::vector<std::string>{"resumed"});
  publisher.ask("subscribe", subscription("camera"));
  const auto joined = watcher.events("stream");
  EXPECT_EQ(what_of(joined), std::vector<std::string>{"subscribers"});
  EXPECT_EQ(joined[0]["subscribers"], 1);
  publisher.ask("unpublish", {{"leg", leg["leg"]}});
  EXPECT_EQ(what_of(watcher.events("stream")), std::vector<std::string>{"ended"});
  publisher.ask("publish", publication("studio"));
  EXPECT_TRUE(watcher.events("stream").empty());
}

TEST(Watch, CanBeStopped) {
  Scene scene;
  Guest client = Guest::greeted(scene);
  client.ask("watch", {{"prefix", "camera"}});
  EXPECT_EQ(Guest::code(client.ask("watch", {{"prefix", "camera"}, {"stop", true}})), "ok");
  client.ask("publish", publication("camera"));
  EXPECT_TRUE(client.events("stream").empty());
}

TEST(Watch, ShowsOnlyWhatTheTokenAllows) {
  SceneOptions options;
  options.auth = tokens_only(static_token("owner", Permissions::everything()),
                             static_token("guest", may("public-*", Action::watch)));
  Scene scene(std::move(options));
  Guest owner = Guest::greeted(scene, token_of("owner"));
  Guest guest = Guest::greeted(scene, token_of("guest"));
  owner.ask("publish", publication("public-1"));
  owner.ask("publish", publication("secret-1"));
  const Json answer = guest.ask("watch");
  ASSERT_EQ(answer["streams"].size(), 1u);
  EXPECT_EQ(answer["streams"][0]["stream"], "public-1");
  owner.ask("publish", publication("secret-2"));
  owner.ask("publish", publication("public-2"));
  const auto events = guest.events("stream");
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0]["stream"], "public-2");
  EXPECT_EQ(Guest::code(guest.ask("stats", {{"stream", "secret-1"}})), "forbidden");
  EXPECT_EQ(Guest::code(guest.ask("stats", {{"stream", "public-1"}})), "ok");
}

TEST(Watch, PrefixesAreLimited) {
  SceneOptions options;
  options.settings.limits.watches_per_session = 2;
  Scene scene(std::move(options));
  Guest client = Guest::greeted(scene);
  EXPECT_EQ(Guest::code(client.ask("watch", {{"prefix", "a"}})), "ok");
  EXPECT_EQ(Guest::code(client.ask("watch", {{"prefix", "b"}})), "ok");
  EXPECT_EQ(Guest::code(client.ask("watch", {{"prefix", "b"}})), "ok") << "it is watched already";
  EXPECT_EQ(Guest::code(client.ask("watch", {{"prefix", "c"}})), "limit_reached");
}

TEST(Stats, CountTheMedia) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  Guest subscriber = Guest::greeted(scene);
  const Json published = publisher.ask("publish", publication("camera"));
  const Json leg = subscriber.ask("subscribe", subscription("camera"));
  publisher.ask("subscribe", subscription("camera"));
  for (std::uint16_t i = 0; i < 5; ++i) {
    publisher.send_packet(channel_of(published), vp8_packet(i, true));
  }
  const Json all = subscriber.ask("stats", {{"stream", "camera"}});
  EXPECT_EQ(all["state"], "live");
  EXPECT_EQ(all["from"][0]["packets"], 5);
  EXPECT_EQ(all["to"].size(), 2u);
  const Json own = subscriber.ask("stats", {{"leg", leg["leg"]}});
  ASSERT_EQ(own["to"].size(), 1u);
  EXPECT_EQ(own["to"][0]["tracks"][0]["packets"], 5);
  EXPECT_TRUE(publisher.ask("stats", {{"leg", published["leg"]}})["to"].empty());
  EXPECT_EQ(Guest::code(subscriber.ask("stats", {{"leg", 99}})), "unknown_leg");
  EXPECT_EQ(Guest::code(subscriber.ask("stats", {{"stream", "nothing"}})), "unknown_stream");
}

TEST(Stats, ComeAtAnIntervalUntilTheyAreStopped) {
  Scene scene;
  Guest client = Guest::greeted(scene);
  client.ask("publish", publication("camera"));
  EXPECT_EQ(Guest::code(client.ask("stats", {{"stream", "camera"}, {"interval_ms", 1000}})), "ok");
  scene.advance(milliseconds(3500));
  EXPECT_EQ(client.events("stats").size(), 3u);
  client.ask("stats", {{"stream", "camera"}, {"interval_ms", 0}});
  scene.advance(seconds(5));
  EXPECT_TRUE(client.events("stats").empty());
}

TEST(Stats, EndWithWhatTheyAreOf) {
  Scene scene;
  Guest client = Guest::greeted(scene);
  const Json leg = client.ask("publish", publication("camera"));
  client.ask("stats", {{"leg", leg["leg"]}, {"interval_ms", 1000}});
  client.ask("unpublish", {{"leg", leg["leg"]}});
  scene.advance(seconds(3));
  EXPECT_TRUE(client.events("stats").empty());
  EXPECT_FALSE(scene.desk.next_timeout().has_value());
}

TEST(Stats, AtAnIntervalAreLimited) {
  SceneOptions options;
  options.settings.limits.watches_per_session = 2;
  Scene scene(std::move(options));
  Guest client = Guest::greeted(scene);
  for (const char* name : {"a", "b", "c"}) client.ask("publish", publication(name));
  const auto every_second = [&](const char* name) {
    return Guest::code(client.ask("stats", {{"stream", name}, {"interval_ms", 1000}}));
  };
  EXPECT_EQ(every_second("a"), "ok");
  EXPECT_EQ(every_second("b"), "ok");
  EXPECT_EQ(every_second("b"), "ok");
  EXPECT_EQ(every_second("c"), "limit_reached");
}

TEST(Stats, DoNotShowThePublishersAddressToASubscriber) {
  SceneOptions options;
  options.settings.rtp_networks = {*IpNetwork::parse("192.0.2.0/24")};
  options.auth = tokens_only(static_token("owner", Permissions::everything()),
                             static_token("guest", may("*", Action::subscribe)));
  Scene scene(std::move(options));
  Guest owner = Guest::greeted(scene, token_of("owner"));
  Guest guest = Guest::greeted(scene, token_of("guest"));
  const Json leg = owner.ask("publish", publication("camera", {{"rtp", Json::object()}}));
  const Json subscribed = guest.ask("subscribe", subscription("camera"));
  for (std::uint16_t i = 0; i < 4; ++i) {
    Bytes clear = vp8_packet(i, true);
    rtp::set_ssrc(clear, leg["tracks"][0]["ssrc"].get<std::uint32_t>());
    scene.receive_datagram(*SocketAddress::parse("192.0.2.10:7000"), clear);
  }
  const Json mine = guest.ask("stats", {{"leg", subscribed["leg"]}});
  EXPECT_EQ(mine.dump().find("192.0.2.10"), std::string::npos);
  EXPECT_NE(owner.ask("stats", {{"stream", "camera"}}).dump().find("192.0.2.10"),
            std::string::npos);
}

TEST(Report, OfASubscriberStandsInTheStatistics) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  const Json published = publisher.ask("publish", publication("camera"));
  const Json leg = publisher.ask("subscribe", subscription("camera"));
  publisher.send_packet(channel_of(published), vp8_packet(1, true));
  const auto report = [&](Json fields) { return Guest::code(publisher.ask("report", fields)); };
  EXPECT_EQ(report({{"leg", leg["leg"]},
                    {"track", "video"},
                    {"fraction_lost", 0.25},
                    {"jitter_ms", 3.5},
                    {"round_trip_ms", 40}}),
            "ok");
  const Json stats = publisher.ask("stats", {{"leg", leg["leg"]}});
  EXPECT_EQ(stats["to"][0]["tracks"][0]["fraction_lost"], 0.25);
  EXPECT_EQ(stats["to"][0]["tracks"][0]["round_trip_ms"], 40.0);
  EXPECT_EQ(report({{"leg", leg["leg"]}, {"track", "text"}}), "unknown_track");
  EXPECT_EQ(report({{"leg", 99}, {"track", "video"}}), "unknown_leg");
}

TEST(Report, TheClockOfAPublisherReachesItsSubscribers) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  Guest subscriber = Guest::greeted(scene);
  const Json published = publisher.ask("publish", publication("camera"));
  const Json leg = subscriber.ask("subscribe", subscription("camera"));
  publisher.send_packet(channel_of(published), vp8_packet(1, true));
  const std::int64_t unix_us = Scene::kStart * 1'000'000 + 250'000;
  for (int i = 0; i < 2; ++i) {
    EXPECT_EQ(Guest::code(publisher.ask(
                  "report", {{"leg", published["leg"]},
                             {"track", "video"},
                             {"clock", {{"rtp_timestamp", 3000}, {"unix_us", unix_us}}}})),
              "ok");
  }
  scene.advance(seconds(3));
  const auto clocks = subscriber.events("clock");
  ASSERT_FALSE(clocks.empty());
  EXPECT_EQ(clocks[0]["leg"], leg["leg"]);
  EXPECT_EQ(clocks[0]["track"], "video");
  EXPECT_NEAR(clocks[0]["unix_us"].get<double>(), static_cast<double>(unix_us), 5e6);
  for (const std::int64_t odd : {std::int64_t{0}, (std::int64_t{1} << 53) - 1}) {
    EXPECT_EQ(
        Guest::code(publisher.ask("report", {{"leg", published["leg"]},
                                             {"track", "video"},
                                             {"clock", {{"rtp_timestamp", 0}, {"unix_us", odd}}}})),
        "ok");
  }
}

TEST(Report, AClockThatComesBeforeTheMediaHoldsOnceItBegins) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  Guest subscriber = Guest::greeted(scene);
  const Json published = publisher.ask("publish", publication("camera"));
  subscriber.ask("subscribe", subscription("camera"));
  const std::int64_t unix_us = Scene::kStart * 1'000'000;
  publisher.ask("report", {{"leg", published["leg"]},
                           {"track", "video"},
                           {"clock", {{"rtp_timestamp", 3000}, {"unix_us", unix_us}}}});
  scene.advance(seconds(2));
  publisher.send_packet(channel_of(published), vp8_packet(1, true));
  scene.advance(seconds(3));
  const auto clocks = subscriber.events("clock");
  ASSERT_FALSE(clocks.empty());
  EXPECT_NEAR(clocks[0]["unix_us"].get<double>(), static_cast<double>(unix_us) + 3e6, 2e6);
}

TEST(Report, APublisherLearnsHowItIsReceived) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  const Json published = publisher.ask("publish", publication("camera"));
  for (std::uint16_t i = 0; i < 20; ++i) {
    if (i % 4 != 3) publisher.send_packet(channel_of(published), vp8_packet(i, true));
    scene.advance(milliseconds(100));
  }
  const auto reports = publisher.events("report");
  ASSERT_FALSE(reports.empty());
  EXPECT_EQ(reports.back()["leg"], published["leg"]);
  EXPECT_GT(reports.back()["fraction_lost"], 0.1);
}

TEST(Rate, RequestsComeAsOftenAsAllowed) {
  SceneOptions options;
  options.settings.limits.requests_per_second = 10;
  Scene scene(std::move(options));
  Guest client = Guest::greeted(scene);
  for (int i = 0; i < 19; ++i) EXPECT_EQ(Guest::code(client.ask("watch")), "ok") << i;
  const Json refused = client.ask("watch");
  EXPECT_EQ(Guest::code(refused), "rate_limited");
  EXPECT_EQ(refused["error"]["retry_ms"], 100);
  scene.advance(milliseconds(100));
  EXPECT_EQ(Guest::code(client.ask("watch")), "ok");
  EXPECT_EQ(Guest::code(client.ask("watch")), "rate_limited");
  Guest other = Guest::greeted(scene);
  EXPECT_EQ(Guest::code(other.ask("watch")), "ok");
}

TEST(Rate, ANewConnectionBringsNoNewRequests) {
  SceneOptions options;
  options.settings.limits.client_requests_per_second = 10;
  Scene scene(std::move(options));
  std::size_t answered = 0;
  for (int i = 0; i < 5; ++i) {
    const auto connected = scene.desk.connect(scene.moment, {*IpAddress::parse("192.0.2.10"), {}});
    if (!connected) {
      EXPECT_EQ(connected.error().code, signalling::ErrorCode::rate_limited);
      continue;
    }
    for (int j = 0; j < 5; ++j) {
      scene.desk.receive_text(scene.moment, *connected, R"({"id":1,"do":"hello"})");
      ++answered;
    }
    scene.settle();
  }
  EXPECT_EQ(answered, 20u);  // connections and requests of a burst
  Guest other = Guest::greeted(scene, {}, "192.0.2.11");
  EXPECT_EQ(Guest::code(other.ask("watch")), "ok");
}

TEST(Watch, AnAnswerThatIsTooLongIsRefusedInsteadOfClosingTheConnection) {
  SceneOptions options;
  options.settings.limits.answer = 2'000;
  Scene scene(std::move(options));
  Guest client = Guest::greeted(scene);
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(Guest::code(client.ask("publish", publication("camera-" + std::to_string(i)))), "ok");
  }
  EXPECT_EQ(Guest::code(client.ask("watch")), "too_large");
  EXPECT_EQ(Guest::code(client.ask("watch", {{"prefix", "camera-7"}})), "ok");
}

TEST(Rate, WhoNeverStopsIsClosed) {
  Scene scene;
  Guest client = Guest::greeted(scene);
  for (int i = 0; i < 1099; ++i) client.ask("watch");
  EXPECT_EQ(client.close_code(), 0);
  client.ask("watch");
  EXPECT_EQ(client.close_code(), 1008);
  EXPECT_TRUE(client.ask("watch").is_null());
}

TEST(Request, WhatIsNoneIsAnswered) {
  Scene scene;
  Guest client = Guest::greeted(scene);
  client.send("{");
  EXPECT_EQ(client.box().texts.back()["error"]["code"], "bad_json");
  EXPECT_TRUE(client.box().texts.back()["re"].is_null());
  EXPECT_EQ(Guest::code(client.ask("dance")), "unknown_verb");
  EXPECT_EQ(Guest::code(client.ask("publish")), "bad_request");
}

}  // namespace
}  // namespace runnel::session
