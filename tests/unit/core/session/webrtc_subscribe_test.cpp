// A browser watches: by an offer of its own, or by offers of the server, which may carry several
// subscriptions.
#include "core/negotiation/peer_connection.h"
#include "webrtc_guests.h"

namespace runnel::session {
namespace {

TEST(WebRtcSubscribe, GetsWhatItsOfferCanTake) {
  Scene scene;
  Studio studio(scene, "cam", true);
  Guest guest = Guest::greeted(scene);
  Browser browser(scene);
  const Json leg =
      guest.ask("subscribe", by_webrtc("cam", {{"offer", browser.offer("chromium-recvonly")}}));
  ASSERT_EQ(Guest::code(leg), "ok") << leg;
  ASSERT_EQ(leg["tracks"].size(), 2u);
  const Json& video = leg["tracks"][0];
  EXPECT_EQ(video["name"], "video");
  const std::string answer = leg["webrtc"]["answer"];
  EXPECT_EQ(count_of(answer, "a=sendonly"), 2u);
  EXPECT_NE(answer.find("a=ssrc:" + std::to_string(video["ssrc"].get<std::uint32_t>()) + " cname:"),
            std::string::npos)
      << answer;
  EXPECT_NE(answer.find("a=msid:cam-1 video"), std::string::npos) << answer;

  browser.take_answer(answer);
  studio.send(1);
  const auto packets = browser.rtp();
  ASSERT_EQ(packets.size(), 1u);
  EXPECT_EQ(view_of(packets[0]).ssrc(), video["ssrc"].get<std::uint32_t>());
  EXPECT_EQ(view_of(packets[0]).payload_type(), video["payload_type"].get<int>());
}

TEST(WebRtcSubscribe, LeavesOutWhatTheOfferHasNoLineFor) {
  Scene scene;
  Studio studio(scene, "cam", true);
  Guest guest = Guest::greeted(scene);
  Browser browser(scene);
  std::string offer = browser.offer("chromium-recvonly");
  const std::size_t video = offer.find("m=video");
  const std::size_t direction = offer.find("a=recvonly", video);
  ASSERT_NE(direction, std::string::npos);
  offer.replace(direction, 10, "a=inactive");
  const Json leg = guest.ask("subscribe", by_webrtc("cam", {{"offer", offer}}));
  ASSERT_EQ(Guest::code(leg), "ok") << leg;
  ASSERT_EQ(leg["tracks"].size(), 1u);
  EXPECT_EQ(leg["tracks"][0]["name"], "audio");
}

TEST(WebRtcSubscribe, SaysWhichCodecItNeeds) {
  Scene scene;
  Guest publisher = Guest::greeted(scene);
  Json tracks = Json::array({{{"codec", "H265/90000"}}});
  ASSERT_EQ(Guest::code(publisher.ask("publish", publication("cam", websocket_leg(), tracks))),
            "ok");
  Guest guest = Guest::greeted(scene);
  Browser browser(scene);
  const Json refused =
      guest.ask("subscribe", by_webrtc("cam", {{"offer", browser.offer("firefox-recvonly")}}));
  EXPECT_EQ(Guest::code(refused), "unsupported_codec");
  EXPECT_NE(refused["error"]["text"].get<std::string>().find("H265"), std::string::npos) << refused;
  EXPECT_EQ(scene.transports.size(), 0u);
  EXPECT_EQ(scene.desk.counts().subscriptions, 0u);
}

TEST(WebRtcSubscribe, WaitsForItsStream) {
  Scene scene;
  Guest guest = Guest::greeted(scene);
  Browser browser(scene);
  Json wish = by_webrtc("cam", {{"offer", browser.offer("chromium-recvonly")}});
  wish["wait_ms"] = 10'000;
  EXPECT_TRUE(guest.ask("subscribe", wish).is_null());
  EXPECT_EQ(scene.transports.size(), 0u) << "nothing is there for whom nothing is sent";
  Studio studio(scene, "cam");
  const Json leg = guest.answer_to(guest.last_id());
  ASSERT_EQ(Guest::code(leg), "ok") << leg;
  browser.take_answer(leg["webrtc"]["answer"]);
  studio.send(1);
  EXPECT_EQ(browser.rtp().size(), 1u);
}

TEST(WebRtcSubscribe, WaitsWithAsMuchSdpAsMayWait) {
  SceneOptions options;
  options.settings.limits.waiting_offers = 1000;
  Scene scene(std::move(options));
  Guest guest = Guest::greeted(scene);
  Json wish = by_webrtc("cam", {{"offer", std::string(500, 'v')}});
  wish["wait_ms"] = 10'000;
  EXPECT_TRUE(guest.ask("subscribe", wish).is_null());
  EXPECT_TRUE(guest.ask("subscribe", wish).is_null());
  wish["leg"]["webrtc"]["offer"] = "v";
  EXPECT_EQ(Guest::code(guest.ask("subscribe", wish)), "full");
  scene.advance(seconds(11));
  EXPECT_TRUE(guest.ask("subscribe", wish).is_null()) << "those before have been given up";
}

TEST(WebRtcSubscribe, PausesAndGoesOn) {
  Scene scene;
  Studio studio(scene, "cam");
  Guest guest = Guest::greeted(scene);
  Browser browser(scene);
  Json wish = by_webrtc("cam", {{"offer", browser.offer("chromium-recvonly")}});
  wish["paused"] = true;
  const Json leg = guest.ask("subscribe", wish);
  browser.take_answer(leg["webrtc"]["answer"]);
  studio.send(1);
  EXPECT_TRUE(browser.rtp().empty());
  EXPECT_EQ(Guest::code(guest.ask("update", {{"leg", 1}, {"paused", false}})), "ok");
  studio.send(2);
  EXPECT_EQ(browser.rtp().size(), 1u);
}

TEST(WebRtcSubscribe, LayersAreOfTracksThatItHas) {
  Scene scene;
  Studio studio(scene, "cam");
  Guest guest = Guest::greeted(scene);
  Browser browser(scene);
  ASSERT_EQ(Guest::code(guest.ask(
                "subscribe", by_webrtc("cam", {{"offer", browser.offer("chromium-recvonly")}}))),
            "ok");
  const Json best = Json::object();
  EXPECT_EQ(Guest::code(guest.ask("update", {{"leg", 1}, {"layers", best}})), "ok");
  EXPECT_EQ(Guest::code(guest.ask(
                "update", {{"leg", 1}, {"track", "video"}, {"layers", {{"max_height", 360}}}})),
            "ok");
  EXPECT_EQ(Guest::code(guest.ask("update", {{"leg", 1}, {"track", "x"}, {"layers", best}})),
            "unknown_track");
}

TEST(WebRtcSubscribe, ABrowserThatClosesIsForgotten) {
  Scene scene;
  Studio studio(scene, "cam");
  Guest guest = Guest::greeted(scene);
  Browser browser(scene);
  const Json leg =
      guest.ask("subscribe", by_webrtc("cam", {{"offer", browser.offer("chromium-recvonly")}}));
  browser.take_answer(leg["webrtc"]["answer"]);
  browser.close();
  EXPECT_EQ(guest.events("leg_ended").at(0)["reason"], "peer_ended");
  EXPECT_EQ(scene.desk.counts().subscriptions, 0u);
  studio.send(1);
  EXPECT_TRUE(browser.rtp().empty());
}

TEST(WebRtcOffer, BeginsWhenItIsAnswered) {
  Scene scene;
  Studio studio(scene, "cam", true);
  Viewer viewer(scene);
  const Json leg = viewer.subscribe("cam");
  ASSERT_EQ(Guest::code(leg), "ok") << leg;
  EXPECT_EQ(leg["webrtc"]["peer"], 1);
  EXPECT_EQ(leg["webrtc"]["generation"], 1);
  const std::string offer = leg["webrtc"]["offer"];
  EXPECT_EQ(count_of(offer, "a=sendonly"), 2u) << offer;
  EXPECT_NE(offer.find("a=msid:cam-1 video"), std::string::npos);
  EXPECT_NE(offer.find("a=candidate:"), std::string::npos);

  ASSERT_EQ(Guest::code(viewer.answer(1, offer)), "ok");
  viewer.browser.take_answer(offer);
  studio.send(1);
  const auto packets = viewer.browser.rtp();
  ASSERT_EQ(packets.size(), 1u);
  EXPECT_EQ(view_of(packets[0]).ssrc(), leg["tracks"][0]["ssrc"].get<std::uint32_t>());
}

TEST(WebRtcOffer, OfOtherGenerationsIsNotAnswered) {
  Scene scene;
  Studio studio(scene, "cam");
  Viewer viewer(scene);
  const std::string offer = viewer.subscribe("cam")["webrtc"]["offer"];
  EXPECT_EQ(Guest::code(viewer.answer(2, offer)), "stale_answer");
  EXPECT_EQ(
      Guest::code(viewer.guest.ask("answer", {{"peer", 2}, {"generation", 1}, {"sdp", "v=0"}})),
      "unknown_peer");
  EXPECT_EQ(
      Guest::code(viewer.guest.ask("answer", {{"peer", 1}, {"generation", 1}, {"sdp", "v=0"}})),
      "bad_sdp");
  EXPECT_EQ(Guest::code(viewer.answer(1, offer)), "ok") << "it is still open";
  EXPECT_EQ(Guest::code(viewer.answer(1, offer)), "stale_answer") << "and now it is not";
}

TEST(WebRtcOffer, CarriesFurtherSubscriptions) {
  Scene scene;
  Studio one(scene, "one");
  Studio two(scene, "two");
  Studio three(scene, "three");
  Viewer viewer(scene);
  const std::string first = viewer.subscribe("one")["webrtc"]["offer"];
  // While an offer is open, changes are gathered.
  const Json second = viewer.subscribe("two", {{"peer", 1}});
  ASSERT_EQ(Guest::code(second), "ok") << second;
  EXPECT_FALSE(second["webrtc"].contains("offer"));
  ASSERT_EQ(Guest::code(viewer.subscribe("three", {{"peer", 1}})), "ok");
  EXPECT_TRUE(viewer.guest.events("offer").empty());

  ASSERT_EQ(Guest::code(viewer.answer(1, first)), "ok");
  viewer.browser.take_answer(first);
  const auto offers = viewer.guest.events("offer");
  ASSERT_EQ(offers.size(), 1u) << "one for both";
  EXPECT_EQ(offers[0]["generation"], 2);
  EXPECT_EQ(count_of(offers[0]["sdp"].get<std::string>(), "m=video"), 3u);
  two.send(1);
  EXPECT_TRUE(viewer.browser.rtp().empty()) << "it has not been agreed";
  ASSERT_EQ(Guest::code(viewer.answer(2, offers[0]["sdp"])), "ok");
  one.send(1);
  two.send(2);
  three.send(3);
  EXPECT_EQ(viewer.browser.rtp().size(), 3u);
  EXPECT_EQ(scene.desk.counts().peers, 1u);
}

TEST(WebRtcOffer, LetsALineFallIdleAndUsesItAgain) {
  Scene scene;
  Studio one(scene, "one");
  Studio two(scene, "two");
  Viewer viewer(scene);
  const std::string first = viewer.subscribe("one")["webrtc"]["offer"];
  ASSERT_EQ(Guest::code(viewer.answer(1, first)), "ok");
  viewer.browser.take_answer(first);
  const std::string both = viewer.subscribe("two", {{"peer", 1}})["webrtc"]["offer"];
  ASSERT_EQ(Guest::code(viewer.answer(2, both)), "ok");

  ASSERT_EQ(Guest::code(viewer.guest.ask("unsubscribe", {{"leg", 1}})), "ok");
  auto offers = viewer.guest.events("offer");
  ASSERT_EQ(offers.size(), 1u);
  EXPECT_EQ(count_of(offers[0]["sdp"].get<std::string>(), "a=inactive"), 1u);
  ASSERT_EQ(Guest::code(viewer.answer(3, offers[0]["sdp"])), "ok");
  one.send(1);
  two.send(1);
  EXPECT_EQ(viewer.browser.rtp().size(), 1u);

  const std::string again = viewer.subscribe("one", {{"peer", 1}})["webrtc"]["offer"];
  EXPECT_EQ(count_of(again, "m=video"), 2u);
  EXPECT_EQ(count_of(again, "a=inactive"), 0u);
  ASSERT_EQ(Guest::code(viewer.answer(4, again)), "ok");
  one.send(2);
  EXPECT_EQ(viewer.browser.rtp().size(), 1u);
}

TEST(WebRtcOffer, ManyLegsThatEndTogetherAreOneOffer) {
  Scene scene;
  Studio one(scene, "one");
  Studio two(scene, "two");
  Viewer viewer(scene);
  const std::string first = viewer.subscribe("one")["webrtc"]["offer"];
  ASSERT_EQ(Guest::code(viewer.subscribe("one", {{"peer", 1}})), "ok");
  ASSERT_EQ(Guest::code(viewer.subscribe("two", {{"peer", 1}})), "ok");
  ASSERT_EQ(Guest::code(viewer.answer(1, first)), "ok");
  viewer.browser.take_answer(first);
  ASSERT_EQ(Guest::code(viewer.answer(2, viewer.guest.events("offer").at(0)["sdp"])), "ok");
  ASSERT_EQ(Guest::code(one.guest.ask("unpublish", {{"leg", 1}})), "ok");
  scene.advance(seconds(31));
  EXPECT_EQ(viewer.guest.events("leg_ended").size(), 2u);
  EXPECT_EQ(viewer.guest.events("offer").size(), 1u);
  EXPECT_EQ(scene.desk.counts().peers, 1u);
}

TEST(WebRtcOffer, AnswersThatTakeNothingEndTheLeg) {
  Scene scene;
  Studio studio(scene, "cam");
  Viewer viewer(scene);
  const std::string offer = viewer.subscribe("cam")["webrtc"]["offer"];
  std::string answer = viewer.browser.answer(offer);
  answer.replace(answer.find("a=recvonly"), 10, "a=inactive");
  EXPECT_EQ(
      Guest::code(viewer.guest.ask("answer", {{"peer", 1}, {"generation", 1}, {"sdp", answer}})),
      "ok");
  EXPECT_EQ(viewer.guest.events("leg_ended").at(0)["reason"], "refused");
  EXPECT_EQ(viewer.guest.events("peer_state").at(0)["reason"], "no_legs");
  EXPECT_EQ(scene.desk.counts().subscriptions, 0u);
}

TEST(WebRtcOffer, IsRepeatedToAClientThatComesBack) {
  Scene scene;
  Studio studio(scene, "cam");
  Guest guest(scene);
  const Json hello = guest.ask("hello");
  const Json leg = guest.ask("subscribe", by_webrtc("cam"));
  ASSERT_EQ(Guest::code(leg), "ok");
  guest.disconnect();
  Guest again(scene);
  ASSERT_EQ(Guest::code(again.ask("hello", {{"resume", hello["session"]}})), "ok");
  const auto offers = again.events("offer");
  ASSERT_EQ(offers.size(), 1u);
  EXPECT_EQ(offers[0]["sdp"], leg["webrtc"]["offer"]);
  EXPECT_EQ(offers[0]["generation"], 1);
}

TEST(WebRtcOffer, OnAPeerOfAnotherSessionIsRefused) {
  Scene scene;
  Studio studio(scene, "cam");
  Viewer viewer(scene);
  ASSERT_EQ(Guest::code(viewer.subscribe("cam")), "ok");
  Guest other = Guest::greeted(scene);
  EXPECT_EQ(Guest::code(other.ask("subscribe", by_webrtc("cam", {{"peer", 1}}))), "unknown_peer");
}

TEST(WebRtcOffer, HasAsManyLinesAsItMay) {
  SceneOptions options;
  options.settings.limits.legs_per_session = 100;
  options.settings.limits.requests_per_second = 1000;
  Scene scene(std::move(options));
  Studio studio(scene, "cam");
  Viewer viewer(scene);
  ASSERT_EQ(Guest::code(viewer.subscribe("cam")), "ok");
  for (std::size_t i = 1; i < negotiation::PeerConnection::kMaxSections; ++i) {
    ASSERT_EQ(Guest::code(viewer.subscribe("cam", {{"peer", 1}})), "ok") << i;
  }
  EXPECT_EQ(Guest::code(viewer.subscribe("cam", {{"peer", 1}})), "limit_reached");
  EXPECT_EQ(Guest::code(viewer.guest.ask("unsubscribe", {{"leg", 64}})), "ok");
  EXPECT_EQ(Guest::code(viewer.subscribe("cam", {{"peer", 1}})), "ok");
}

TEST(WebRtcOffer, AddsAWatchedStreamToAPublishersPeer) {
  Scene scene;
  Studio studio(scene, "cam");
  Viewer viewer(scene);
  const Json own = viewer.guest.ask(
      "publish", by_webrtc("me", {{"offer", viewer.browser.offer("chromium-sendonly-VP8")}}));
  ASSERT_EQ(Guest::code(own), "ok");
  viewer.browser.take_answer(own["webrtc"]["answer"]);
  const Json leg = viewer.subscribe("cam", {{"peer", 1}});
  ASSERT_EQ(Guest::code(leg), "ok") << leg;
  ASSERT_EQ(Guest::code(viewer.answer(1, leg["webrtc"]["offer"])), "ok");
  studio.send(1);
  EXPECT_EQ(viewer.browser.rtp().size(), 1u);
  EXPECT_EQ(scene.desk.counts().peers, 1u);
  ASSERT_EQ(Guest::code(viewer.guest.ask("unpublish", {{"leg", 1}})), "ok");
  EXPECT_EQ(viewer.guest.events("offer").size(), 1u);
  studio.send(2);
  EXPECT_EQ(viewer.browser.rtp().size(), 1u) << "the other leg goes on";
}

}  // namespace
}  // namespace runnel::session
