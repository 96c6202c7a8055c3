// A browser publishes: what it offers, what is made of it, and how it comes to an end.
#include "browser.h"
#include "guest.h"

namespace runnel::session {
namespace {

Json by_offer(std::string_view stream, std::string offer) {
  return {{"stream", stream}, {"leg", {{"webrtc", {{"offer", std::move(offer)}}}}}};
}

/// As Chromium sends its video of chromium-sendonly-VP8: by the SSRC that it has announced.
Bytes browser_packet(const std::string& offer, std::uint16_t number, bool key_frame) {
  const std::string_view video = std::string_view(offer).substr(offer.find("m=video"));
  Bytes packet = vp8_packet(number, key_frame);
  const std::string ssrc = attribute(video, "ssrc");
  store_be32(packet.data() + 8, static_cast<std::uint32_t>(std::stoul(ssrc)));
  return packet;
}

struct Publishing {
  explicit Publishing(Scene& scene, std::string_view stream = "cam", std::string_view token = {})
      : guest(Guest::greeted(scene, token)), browser(scene), offer(browser.offer(kOffer)) {
    leg = guest.ask("publish", by_offer(stream, offer));
    if (Guest::code(leg) == "ok") browser.take_answer(leg["webrtc"]["answer"]);
  }
  void send(std::uint16_t number, bool key_frame) {
    browser.send_rtp(browser_packet(offer, number, key_frame));
  }

  static constexpr std::string_view kOffer = "chromium-sendonly-VP8";
  Guest guest;
  Browser browser;
  std::string offer;
  Json leg;
};

TEST(WebRtcPublish, TellsWhatTheOfferHas) {
  Scene scene;
  Publishing publishing(scene);
  const Json& leg = publishing.leg;
  ASSERT_EQ(Guest::code(leg), "ok") << leg;
  EXPECT_EQ(leg["role"], "publication");
  ASSERT_EQ(leg["tracks"].size(), 2u);
  EXPECT_EQ(leg["tracks"][0]["name"], "audio");
  EXPECT_EQ(leg["tracks"][0]["codec"], "opus/48000/2");
  EXPECT_EQ(leg["tracks"][0]["payload_type"], 111);
  EXPECT_EQ(leg["tracks"][1]["name"], "video");
  EXPECT_EQ(leg["tracks"][1]["codec"], "VP8/90000");
  EXPECT_EQ(leg["webrtc"]["peer"], 1);
  const std::string answer = leg["webrtc"]["answer"];
  EXPECT_NE(answer.find("a=candidate:1 1 udp "), std::string::npos);
  EXPECT_NE(answer.find(" 192.0.2.1 5004 typ host"), std::string::npos);
  EXPECT_NE(answer.find("a=ice-lite"), std::string::npos);
  EXPECT_EQ(count_of(answer, "a=recvonly"), 2u);
}

TEST(WebRtcPublish, ConnectsAndIsSeen) {
  Scene scene;
  Publishing publishing(scene);
  const auto states = publishing.guest.events("peer_state");
  ASSERT_EQ(states.size(), 1u);
  EXPECT_EQ(states[0]["state"], "connected");
  ASSERT_EQ(scene.notices.size(), 1u);
  const auto owner = scene.desk.owner_of(transport::PeerId{1});
  ASSERT_TRUE(owner);
  EXPECT_EQ(owner->stream, "cam");
  EXPECT_TRUE(owner->publishes);

  Guest viewer = Guest::greeted(scene);
  const Json leg = viewer.ask("subscribe", subscription("cam"));
  ASSERT_EQ(Guest::code(leg), "ok");
  publishing.send(1, true);
  publishing.send(2, false);
  const auto media = viewer.media();
  ASSERT_EQ(media.size(), 2u);
  EXPECT_EQ(payload_of(media[1]).size(), 41u);
}

TEST(WebRtcPublish, ChoosesATrackAndItsCodec) {
  Scene scene;
  Guest guest = Guest::greeted(scene);
  Browser browser(scene);
  Json wish = by_offer("cam", browser.offer("chromium-sendonly-default"));
  wish["tracks"] = {{{"kind", "video"}, {"name", "screen"}, {"codec", "VP9/90000"}}};
  const Json leg = guest.ask("publish", wish);
  ASSERT_EQ(Guest::code(leg), "ok") << leg;
  ASSERT_EQ(leg["tracks"].size(), 1u);
  EXPECT_EQ(leg["tracks"][0]["name"], "screen");
  EXPECT_EQ(leg["tracks"][0]["codec"], "VP9/90000");
  EXPECT_EQ(count_of(leg["webrtc"]["answer"].get<std::string>(), "a=recvonly"), 1u);
}

TEST(WebRtcPublish, RefusesWithASentenceAndLeavesNothingBehind) {
  Scene scene;
  Guest guest = Guest::greeted(scene);
  Browser browser(scene);
  const std::string offer = browser.offer("chromium-sendonly-VP8");
  const auto refused = [&](Json wish) {
    const Json answer = guest.ask("publish", std::move(wish));
    EXPECT_EQ(scene.transports.size(), 0u) << answer;
    EXPECT_EQ(scene.relay_count(), 0u) << answer;
    return answer.contains("error") ? answer["error"] : Json{{"code", "ok"}, {"text", ""}};
  };
  Json nonsense = refused(by_offer("cam", "v=0\r\nhello\r\n"));
  EXPECT_EQ(nonsense["code"], "bad_sdp");
  EXPECT_NE(nonsense["text"].get<std::string>().find("line 2"), std::string::npos) << nonsense;
  EXPECT_EQ(refused(by_offer("cam", browser.offer("chromium-recvonly")))["code"], "bad_sdp");

  Json wish = by_offer("cam", offer);
  wish["tracks"] = {{{"kind", "video"}, {"codec", "AV1/90000"}}};
  const Json unknown = refused(wish);
  EXPECT_EQ(unknown["code"], "unsupported_codec");
  EXPECT_NE(unknown["text"].get<std::string>().find("AV1"), std::string::npos) << unknown;
  wish["tracks"] = {{{"name", "video"}, {"mid", "0"}}, {{"mid", "1"}}};
  EXPECT_EQ(refused(wish)["code"], "bad_request") << "the second is called video as well";
  wish["tracks"] = {{{"mid", "9"}}};
  EXPECT_EQ(refused(wish)["code"], "bad_sdp");
}

TEST(WebRtcPublish, NeedsAServerThatHasIt) {
  Scene scene({.has_webrtc = false});
  Guest guest = Guest::greeted(scene);
  Browser browser(scene);
  const Json answer = guest.ask("publish", by_offer("cam", browser.offer("chromium-sendonly-VP8")));
  EXPECT_EQ(Guest::code(answer), "unsupported_leg");
}

TEST(WebRtcPublish, EndsItsPeerWithItsOnlyLeg) {
  Scene scene;
  Publishing publishing(scene);
  EXPECT_EQ(scene.desk.counts().peers, 1u);
  static_cast<void>(publishing.guest.events("peer_state"));
  EXPECT_EQ(Guest::code(publishing.guest.ask("unpublish", {{"leg", publishing.leg["leg"]}})), "ok");
  const auto states = publishing.guest.events("peer_state");
  ASSERT_EQ(states.size(), 1u);
  EXPECT_EQ(states[0]["reason"], "no_legs");
  scene.advance(milliseconds(1));
  EXPECT_TRUE(publishing.browser.peer.is_closed());
  EXPECT_EQ(scene.desk.counts().peers, 0u);
  EXPECT_EQ(scene.transports.size(), 0u);
  EXPECT_EQ(scene.relay_count(), 0u);
}

TEST(WebRtcPublish, IsRefusedBeyondTheLimitOfPeers) {
  SceneOptions options;
  options.transports.peers = 2;
  Scene scene(std::move(options));
  Publishing first(scene, "a");
  Publishing second(scene, "b");
  ASSERT_EQ(Guest::code(second.leg), "ok");
  Browser third(scene, "192.0.2.11:50000");
  const Json refused =
      second.guest.ask("publish", by_offer("c", third.offer("chromium-sendonly-VP8")));
  EXPECT_EQ(Guest::code(refused), "full");
  EXPECT_TRUE(refused["error"].contains("retry_ms"));
  EXPECT_EQ(Guest::code(second.guest.ask("unpublish", {{"leg", 1}})), "ok");
  scene.advance(milliseconds(1));
  EXPECT_EQ(
      Guest::code(second.guest.ask("publish", by_offer("c", third.offer("chromium-sendonly-VP8")))),
      "ok");
}

TEST(WebRtcPublish, StaysWhileItsWebSocketIsAwayAndEndsWithTheHold) {
  Scene scene;
  Publishing publishing(scene);
  Guest viewer = Guest::greeted(scene);
  ASSERT_EQ(Guest::code(viewer.ask("subscribe", subscription("cam"))), "ok");
  publishing.guest.disconnect();
  publishing.send(1, true);
  EXPECT_EQ(viewer.media().size(), 1u);
  scene.advance(seconds(29));
  EXPECT_EQ(scene.desk.counts().peers, 1u);
  scene.advance(seconds(2));
  EXPECT_EQ(scene.desk.counts().peers, 0u);
  EXPECT_EQ(scene.desk.counts().publications, 0u);
}

TEST(WebRtcPublish, ASessionThatComesBackFindsItsPeer) {
  Scene scene;
  Guest guest(scene);
  const Json hello = guest.ask("hello");
  Browser browser(scene);
  const Json leg = guest.ask("publish", by_offer("cam", browser.offer("chromium-sendonly-VP8")));
  ASSERT_EQ(Guest::code(leg), "ok");
  guest.disconnect();
  Guest again(scene);
  const Json resumed = again.ask("hello", {{"resume", hello["session"]}});
  ASSERT_EQ(Guest::code(resumed), "ok");
  EXPECT_EQ(resumed["legs"][0]["webrtc"]["peer"], 1);
}

TEST(WebRtcPublish, ABrowserThatClosesLeavesItsViewersWaitingForTheNext) {
  Scene scene;
  Publishing publishing(scene);
  Guest viewer = Guest::greeted(scene);
  const Json leg = viewer.ask("subscribe", subscription("cam"));
  publishing.send(1, true);
  ASSERT_EQ(viewer.media().size(), 1u);
  static_cast<void>(viewer.events("leg_state"));

  publishing.browser.close();
  EXPECT_EQ(publishing.guest.events("leg_ended").at(0)["reason"], "peer_ended");
  const auto states = publishing.guest.events("peer_state");
  EXPECT_EQ(states.back()["reason"], "closed");
  EXPECT_EQ(viewer.events("leg_state").at(0)["state"], "ended");
  EXPECT_EQ(scene.notices.back().what, Notice::What::unpublished);

  // Another browser, which numbers its payload types in its own way.
  scene.advance(seconds(10));
  Guest next = Guest::greeted(scene);
  Browser firefox(scene, "192.0.2.12:50000");
  const std::string offer = firefox.offer("firefox-sendonly-VP8");
  const Json back = next.ask("publish", by_offer("cam", offer));
  ASSERT_EQ(Guest::code(back), "ok") << back;
  EXPECT_NE(back["tracks"][1]["payload_type"], 96);
  firefox.take_answer(back["webrtc"]["answer"]);
  Bytes packet = browser_packet(offer, 1, true);
  packet[1] =
      static_cast<std::uint8_t>((packet[1] & 0x80) | back["tracks"][1]["payload_type"].get<int>());
  firefox.send_rtp(packet);
  EXPECT_EQ(viewer.media().size(), 1u) << "the same leg goes on";
  EXPECT_TRUE(viewer.events("leg_ended").empty());
  EXPECT_EQ(viewer.events("leg_state").back()["state"], "live");
}

TEST(WebRtcPublish, StatisticsTellItsEncodings) {
  Scene scene;
  Publishing publishing(scene);
  publishing.send(1, true);
  const Json plain = publishing.guest.ask("stats", {{"stream", "cam"}});
  ASSERT_EQ(Guest::code(plain), "ok");
  const Json& video = plain["from"][1];
  ASSERT_EQ(video["encodings"].size(), 1u) << video;
  EXPECT_EQ(video["encodings"][0]["flowing"], true);
  EXPECT_EQ(video["encodings"][0]["width"], 320);
  EXPECT_EQ(video["height"], 240);

  Browser simulcast(scene, "192.0.2.11:50000");
  const Json leg = publishing.guest.ask(
      "publish", by_offer("sim", simulcast.offer("chromium-sendonly-simulcast-VP8")));
  ASSERT_EQ(Guest::code(leg), "ok") << leg;
  const Json stats = publishing.guest.ask("stats", {{"stream", "sim"}});
  const Json& encodings = stats["from"].back()["encodings"];
  ASSERT_EQ(encodings.size(), 3u) << stats;
  EXPECT_TRUE(encodings[0].contains("rid"));
  EXPECT_EQ(encodings[0]["flowing"], false);
}

TEST(WebRtcPublish, ABrowserThatVanishesIsGivenUp) {
  Scene scene;
  Publishing publishing(scene);
  publishing.browser.vanish();
  scene.advance(seconds(10));
  auto states = publishing.guest.events("peer_state");
  ASSERT_EQ(states.size(), 2u);
  EXPECT_EQ(states[1]["state"], "stalled");
  scene.advance(seconds(30));
  states = publishing.guest.events("peer_state");
  ASSERT_EQ(states.size(), 1u);
  EXPECT_EQ(states[0]["reason"], "consent_lost");
  EXPECT_EQ(scene.desk.counts().publications, 0u);
}

TEST(WebRtcPublish, ABrowserThatNeverConnectsIsGivenUp) {
  Scene scene;
  Guest guest = Guest::greeted(scene);
  Browser browser(scene);
  ASSERT_EQ(
      Guest::code(guest.ask("publish", by_offer("cam", browser.offer("chromium-sendonly-VP8")))),
      "ok");
  scene.advance(seconds(31));
  EXPECT_EQ(guest.events("peer_state").at(0)["reason"], "never_connected");
  EXPECT_EQ(guest.events("leg_ended").at(0)["reason"], "peer_ended");
  EXPECT_EQ(scene.relay_count(), 0u);
}

TEST(WebRtcPublish, IsTakenOverByWhoeverMay) {
  Scene scene({.auth = tokens_only(
                   static_token("a", may("*", auth::Action::publish)),
                   static_token("b", may("*", auth::Action::publish, auth::Action::admin)))});
  Publishing publishing(scene, "cam", token_of("a"));
  ASSERT_EQ(Guest::code(publishing.leg), "ok");
  Guest other = Guest::greeted(scene, token_of("b"));
  Browser browser(scene, "192.0.2.13:50000");
  Json wish = by_offer("cam", browser.offer("firefox-sendonly-VP8"));
  EXPECT_EQ(Guest::code(other.ask("publish", wish)), "stream_busy");
  EXPECT_EQ(scene.desk.counts().peers, 1u);
  wish["take_over"] = true;
  EXPECT_EQ(Guest::code(other.ask("publish", wish)), "ok");
  EXPECT_EQ(publishing.guest.events("leg_ended").at(0)["reason"], "taken_over");
  scene.advance(milliseconds(1));
  EXPECT_TRUE(publishing.browser.peer.is_closed());
  EXPECT_EQ(scene.desk.counts().peers, 1u);
}

TEST(WebRtcPublish, ABrowserThatStartsAnewReplacesWhatItHasLeftBehind) {
  Scene scene({.auth = tokens_only(static_token("a", may("*", auth::Action::publish)),
                                   static_token("b", may("*", auth::Action::publish)))});
  Publishing publishing(scene, "cam", token_of("a"));
  publishing.browser.vanish();
  Guest again = Guest::greeted(scene, token_of("a"));
  Guest other = Guest::greeted(scene, token_of("b"));
  Browser browser(scene, "192.0.2.13:50000");
  const Json wish = by_offer("cam", browser.offer("chromium-sendonly-VP8"));
  EXPECT_EQ(Guest::code(again.ask("publish", wish)), "stream_busy") << "it may still be there";
  scene.advance(seconds(9));
  EXPECT_EQ(Guest::code(other.ask("publish", wish)), "stream_busy") << "it is not its own";
  EXPECT_EQ(Guest::code(again.ask("publish", wish)), "ok");
  EXPECT_EQ(publishing.guest.events("leg_ended").at(0)["reason"], "taken_over");
}

TEST(WebRtcPublish, ABrowserNeedNotWaitLongerThanItsMediaAreMissed) {
  Scene scene({.transports = {.stall = seconds(18)}});
  Publishing publishing(scene);
  publishing.send(1, true);
  publishing.browser.vanish();
  Guest again = Guest::greeted(scene);
  Browser browser(scene, "192.0.2.13:50000");
  const Json wish = by_offer("cam", browser.offer("chromium-sendonly-VP8"));
  scene.advance(milliseconds(4'900));
  EXPECT_EQ(Guest::code(again.ask("publish", wish)), "stream_busy");
  scene.advance(milliseconds(200));
  EXPECT_EQ(Guest::code(again.ask("publish", wish)), "ok");
}

TEST(WebRtcPublish, IsToldWhenTheServerEnds) {
  Scene scene;
  Publishing publishing(scene);
  scene.desk.shut_down(scene.moment);
  scene.settle();
  EXPECT_TRUE(publishing.browser.peer.is_closed());
  EXPECT_EQ(publishing.guest.events("leg_ended").at(0)["reason"], "shutting_down");
  EXPECT_EQ(publishing.guest.close_code(), 1001);
}

TEST(WebRtcPublish, WorksByRestAndEndsWithItsPeer) {
  Scene scene;
  Browser browser(scene, "192.0.2.20:50000");
  const RestAnswer made =
      scene.rest("POST", "/v1/streams/cam/publication",
                 {{"leg", {{"webrtc", {{"offer", browser.offer("chromium-sendonly-VP8")}}}}}});
  ASSERT_EQ(made.status, 201) << made.body;
  browser.take_answer(Json::parse(made.body)["webrtc"]["answer"]);
  scene.advance(seconds(60));
  EXPECT_EQ(scene.desk.counts().publications, 1u) << "though no media has come";
  browser.close();
  scene.advance(milliseconds(1));
  EXPECT_EQ(scene.desk.counts().publications, 0u);
  EXPECT_EQ(scene.desk.counts().sessions, 0u);
}

}  // namespace
}  // namespace runnel::session
