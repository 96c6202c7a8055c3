// What WHIP and WHEP are built on: sessions of one leg, known by an id that nobody can guess.
#include <gmock/gmock.h>

#include "browser.h"
#include "guest.h"

namespace runnel::session {
namespace {

using signalling::ErrorCode;
using signalling::LegRole;

const IpAddress kAddress = IpAddress::parse("192.0.2.10").value();

struct Caller {
  Scene& scene;
  std::string token = {};

  [[nodiscard]] Client client() const { return {kAddress, token}; }
  auto publish(std::string_view stream, std::string offer, bool take_over = false) {
    auto made = scene.desk.create_resource(
        scene.moment, client(), PublishByOffer{std::string(stream), std::move(offer), take_over});
    scene.settle();
    return made;
  }
  auto subscribe(std::string_view stream, std::string offer = {}) {
    auto made = scene.desk.create_resource(
        scene.moment, client(), SubscribeByOffer{std::string(stream), std::move(offer), {}});
    scene.settle();
    return made;
  }
  auto status(const ResourceName& name) {
    return scene.desk.status_of_resource(scene.moment, client(), name);
  }
  auto end(const ResourceName& name) {
    auto ended = scene.desk.end_resource(scene.moment, client(), name);
    scene.settle();
    return ended;
  }
};

ErrorCode code_of(const auto& result) {
  return result ? ErrorCode::count_ : result.error().code;
}

auth::Settings two_tokens_and_an_administrator() {
  return tokens_only(static_token("a", may("*", auth::Action::publish, auth::Action::subscribe)),
                     static_token("b", may("*", auth::Action::publish, auth::Action::subscribe)),
                     static_token("root", may("*", auth::Action::admin)));
}

TEST(WebRtcResource, PublishesUntilItIsEnded) {
  Scene scene;
  Caller caller{scene};
  Browser browser(scene);
  const auto made = caller.publish("cam", browser.offer("obs-whip"));
  ASSERT_TRUE(made) << made.error().text;
  EXPECT_EQ(made->id.size(), 22u);
  EXPECT_THAT(made->entity_tag, testing::MatchesRegex("\".+\""));
  browser.take_answer(made->sdp);
  EXPECT_EQ(scene.desk.counts().publications, 1u);
  scene.advance(seconds(90));
  EXPECT_EQ(scene.desk.counts().publications, 1u) << "no WebSocket whose hold could pass";

  const ResourceName name{LegRole::publication, "cam", made->id};
  EXPECT_TRUE(caller.end(name));
  scene.advance(milliseconds(1));
  EXPECT_TRUE(browser.peer.is_closed());
  EXPECT_EQ(scene.desk.counts().sessions, 0u);
  EXPECT_EQ(code_of(caller.end(name)), ErrorCode::unknown_session);
}

TEST(WebRtcResource, EndsWithItsPeer) {
  Scene scene;
  Caller caller{scene};
  Browser browser(scene);
  const auto made = caller.publish("cam", browser.offer("chromium-sendonly-VP8"));
  ASSERT_TRUE(made);
  browser.take_answer(made->sdp);
  browser.close();
  scene.advance(milliseconds(1));
  EXPECT_EQ(scene.desk.counts().sessions, 0u);
  EXPECT_EQ(code_of(caller.status({LegRole::publication, "cam", made->id})),
            ErrorCode::unknown_session);
}

TEST(WebRtcResource, IsAnsweredToWhomItBelongsAndToAdministrators) {
  Scene scene({.auth = two_tokens_and_an_administrator()});
  Caller owner{scene, token_of("a")};
  Caller stranger{scene, token_of("b")};
  Caller administrator{scene, token_of("root")};
  Caller nobody{scene, {}};
  Browser browser(scene);
  const auto made = owner.publish("cam", browser.offer("chromium-sendonly-VP8"));
  ASSERT_TRUE(made) << made.error().text;
  const ResourceName name{LegRole::publication, "cam", made->id};
  EXPECT_TRUE(owner.status(name));
  EXPECT_EQ(code_of(stranger.status(name)), ErrorCode::forbidden);
  EXPECT_EQ(code_of(stranger.end(name)), ErrorCode::forbidden);
  EXPECT_EQ(code_of(nobody.end(name)), ErrorCode::not_authorized);
  EXPECT_EQ(code_of(owner.status({LegRole::subscription, "cam", made->id})),
            ErrorCode::unknown_session);
  EXPECT_EQ(code_of(owner.status({LegRole::publication, "other", made->id})),
            ErrorCode::unknown_session);
  EXPECT_TRUE(administrator.end(name));
}

TEST(WebRtcResource, IsMadeOnlyOfStreamsWhoseNamesAreSome) {
  Scene scene;
  Caller caller{scene};
  Browser browser(scene);
  const std::string longest(64, 'a');
  for (const std::string& name : {std::string(), longest + "a", std::string("../etc"),
                                  std::string(" "), std::string("-a"), std::string("a/b")}) {
    EXPECT_EQ(code_of(caller.publish(name, browser.offer("obs-whip"))), ErrorCode::bad_request);
    EXPECT_EQ(code_of(caller.subscribe(name)), ErrorCode::bad_request);
  }
  EXPECT_TRUE(caller.publish(longest, browser.offer("obs-whip")));
}

TEST(WebRtcResource, RefusesAsTheOtherWaysDo) {
  Scene scene({.auth = two_tokens_and_an_administrator()});
  Caller caller{scene, token_of("a")};
  Browser browser(scene);
  EXPECT_EQ(code_of(caller.subscribe("cam", browser.offer("chromium-recvonly"))),
            ErrorCode::stream_not_live);
  EXPECT_EQ(code_of(caller.publish("cam", "v=0")), ErrorCode::bad_sdp);
  ASSERT_TRUE(caller.publish("cam", browser.offer("chromium-sendonly-VP8")));
  Browser other(scene, "192.0.2.11:50000");
  const auto busy = caller.publish("cam", other.offer("chromium-sendonly-VP8"));
  EXPECT_EQ(code_of(busy), ErrorCode::stream_busy);
  EXPECT_TRUE(busy.error().retry);
  Caller nobody{scene, "no-such-token-0123456"};
  EXPECT_EQ(code_of(nobody.publish("x", other.offer("chromium-sendonly-VP8"))),
            ErrorCode::not_authorized);
  EXPECT_EQ(scene.desk.counts().sessions, 1u);
  EXPECT_EQ(scene.desk.counts().peers, 1u);
}

TEST(WebRtcResource, WatchesByAnOfferOfTheServer) {
  Scene scene;
  Caller caller{scene};
  Guest studio = Guest::greeted(scene);
  const Json leg = studio.ask("publish", publication("cam"));
  Browser browser(scene);
  const auto made = caller.subscribe("cam");
  ASSERT_TRUE(made) << made.error().text;
  const ResourceName name{LegRole::subscription, "cam", made->id};
  EXPECT_TRUE(caller.status(name)->awaits_answer);
  EXPECT_EQ(code_of(scene.desk.restart_resource(scene.moment, caller.client(), name, "abcd",
                                                "0123456789012345678901")),
            ErrorCode::stale_answer);
  EXPECT_EQ(code_of(scene.desk.answer_resource(scene.moment, caller.client(), name, "v=0")),
            ErrorCode::bad_sdp);
  EXPECT_TRUE(
      scene.desk.answer_resource(scene.moment, caller.client(), name, browser.answer(made->sdp)));
  EXPECT_EQ(code_of(scene.desk.answer_resource(scene.moment, caller.client(), name,
                                               browser.answer(made->sdp))),
            ErrorCode::stale_answer);
  scene.settle();
  browser.take_answer(made->sdp);
  studio.send_packet(channel_of(leg), vp8_packet(1, true));
  EXPECT_EQ(browser.rtp().size(), 1u);
  EXPECT_TRUE(scene.desk.choose_layers(scene.moment, caller.client(), name,
                                       {.max_height = 180, .rid = {}}));
}

TEST(WebRtcResource, RestartsByAFragmentUnderAnotherEntityTag) {
  Scene scene;
  Caller caller{scene};
  Browser browser(scene);
  const auto made = caller.publish("cam", browser.offer("chromium-sendonly-VP8"));
  ASSERT_TRUE(made);
  browser.take_answer(made->sdp);
  const ResourceName name{LegRole::publication, "cam", made->id};
  const ResourceStatus before = caller.status(name).value();
  EXPECT_EQ(before.entity_tag, made->entity_tag);
  EXPECT_EQ(before.peer_ufrag, browser.peer.description().ice.ufrag);

  browser.peer.restart();
  const ice::Credentials credentials = browser.peer.description().ice;
  const auto restarted = scene.desk.restart_resource(scene.moment, caller.client(), name,
                                                     credentials.ufrag, credentials.password);
  ASSERT_TRUE(restarted) << restarted.error().text;
  EXPECT_NE(restarted->entity_tag, made->entity_tag);
  EXPECT_EQ(caller.status(name)->entity_tag, restarted->entity_tag);
  EXPECT_EQ(caller.status(name)->peer_ufrag, credentials.ufrag);
  EXPECT_NE(restarted->fragment.find("a=candidate:"), std::string::npos);
  browser.resume(restarted->fragment);
  scene.advance(seconds(60));
  EXPECT_EQ(scene.desk.counts().publications, 1u) << "its checks are answered";
  EXPECT_EQ(code_of(scene.desk.restart_resource(scene.moment, caller.client(), name, "a", "b")),
            ErrorCode::bad_sdp);
  EXPECT_EQ(caller.status(name)->entity_tag, restarted->entity_tag) << "nothing has changed";
}

TEST(WebRtcResource, TellsItsEvents) {
  Scene scene;
  Caller caller{scene};
  Guest studio = Guest::greeted(scene);
  ASSERT_EQ(Guest::code(studio.ask("publish", publication("cam"))), "ok");
  Browser browser(scene);
  const auto made = caller.subscribe("cam", browser.offer("chromium-recvonly"));
  ASSERT_TRUE(made) << made.error().text;
  browser.take_answer(made->sdp);
  ASSERT_EQ(Guest::code(studio.ask("unpublish", {{"leg", 1}})), "ok");
  scene.advance(seconds(31));
  ASSERT_EQ(scene.resource_events.size(), 4u);
  for (const ResourceEvent& event : scene.resource_events) EXPECT_EQ(event.id, made->id);
  EXPECT_EQ(std::get<signalling::PeerState>(scene.resource_events[0].event).what,
            signalling::PeerState::What::connected);
  EXPECT_EQ(std::get<signalling::LegState>(scene.resource_events[1].event).state,
            signalling::StreamState::ended);
  EXPECT_TRUE(scene.desk.summary_of_stream("cam") == std::nullopt);
}

TEST(WebRtcResource, EndsWithItsToken) {
  const auth::WallTime end{std::chrono::seconds(Scene::kStart + 10)};
  Scene scene({.auth = tokens_only(static_token("a", may("*", auth::Action::publish), end))});
  Caller caller{scene, token_of("a")};
  Browser browser(scene);
  const auto made = caller.publish("cam", browser.offer("chromium-sendonly-VP8"));
  ASSERT_TRUE(made) << made.error().text;
  browser.take_answer(made->sdp);
  scene.advance(seconds(11));
  EXPECT_EQ(scene.desk.counts().sessions, 0u);
  EXPECT_TRUE(browser.peer.is_closed());
}

}  // namespace
}  // namespace runnel::session
