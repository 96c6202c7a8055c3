// A client's peer connection begins anew: by other ICE credentials, with what it still offers.
#include "webrtc_guests.h"

namespace runnel::session {
namespace {

TEST(WebRtcRestart, WithdrawsAnOpenOfferWhoseChangesComeAgain) {
  Scene scene;
  Studio one(scene, "one");
  Studio two(scene, "two");
  Viewer viewer(scene);
  const Json leg = viewer.subscribe("one", {{"offer", viewer.browser.offer("chromium-recvonly")}});
  viewer.browser.take_answer(leg["webrtc"]["answer"]);
  const Json second = viewer.subscribe("two", {{"peer", 1}});
  ASSERT_EQ(second["webrtc"]["generation"], 1) << second;
  viewer.browser.peer.restart();
  const Json restarted = viewer.guest.ask(
      "restart", {{"peer", 1}, {"offer", viewer.browser.offer("chromium-recvonly")}});
  ASSERT_EQ(Guest::code(restarted), "ok") << restarted;
  viewer.browser.resume(restarted["answer"]);
  EXPECT_EQ(Guest::code(viewer.answer(1, second["webrtc"]["offer"])), "stale_answer");
  const auto offers = viewer.guest.events("offer");
  ASSERT_EQ(offers.size(), 1u);
  EXPECT_EQ(offers[0]["generation"], 2);
  ASSERT_EQ(Guest::code(viewer.answer(2, offers[0]["sdp"])), "ok");
  one.send(1);
  two.send(1);
  EXPECT_EQ(viewer.browser.rtp().size(), 2u);
}

TEST(WebRtcRestart, EndsLegsThatTheClientHasStopped) {
  Scene scene;
  Studio studio(scene, "cam");
  Viewer viewer(scene);
  std::string offer = viewer.browser.offer("chromium-recvonly");
  const Json leg = viewer.subscribe("cam", {{"offer", offer}});
  viewer.browser.take_answer(leg["webrtc"]["answer"]);
  for (std::size_t at = offer.find("a=recvonly"); at != std::string::npos;
       at = offer.find("a=recvonly")) {
    offer.replace(at, 10, "a=inactive");
  }
  EXPECT_EQ(Guest::code(viewer.guest.ask("restart", {{"peer", 1}, {"offer", offer}})), "ok");
  EXPECT_EQ(viewer.guest.events("leg_ended").at(0)["reason"], "goodbye");
  EXPECT_EQ(scene.desk.counts().peers, 0u);
}

TEST(WebRtcRestart, IsNoWayToAnswerTheFirstOffer) {
  Scene scene;
  Studio studio(scene, "cam");
  Viewer viewer(scene);
  ASSERT_EQ(Guest::code(viewer.subscribe("cam")), "ok");
  EXPECT_EQ(Guest::code(viewer.guest.ask(
                "restart", {{"peer", 1}, {"offer", viewer.browser.offer("chromium-recvonly")}})),
            "stale_answer");
}

TEST(WebRtcRestart, MovesToNewCredentials) {
  Scene scene;
  Studio studio(scene, "cam");
  Guest guest = Guest::greeted(scene);
  Browser browser(scene);
  const Json leg =
      guest.ask("subscribe", by_webrtc("cam", {{"offer", browser.offer("chromium-recvonly")}}));
  const std::string before = leg["webrtc"]["answer"];
  browser.take_answer(before);

  browser.peer.restart();
  const Json restarted =
      guest.ask("restart", {{"peer", 1}, {"offer", browser.offer("chromium-recvonly")}});
  ASSERT_EQ(Guest::code(restarted), "ok") << restarted;
  const std::string after = restarted["answer"];
  EXPECT_NE(attribute(after, "ice-ufrag"), attribute(before, "ice-ufrag"));
  EXPECT_EQ(attribute(after, "fingerprint"), attribute(before, "fingerprint"));
  browser.resume(after);
  studio.send(1);
  EXPECT_EQ(browser.rtp().size(), 1u);
  EXPECT_EQ(scene.desk.counts().subscriptions, 1u);

  EXPECT_EQ(Guest::code(guest.ask("restart", {{"peer", 9}, {"offer", "v=0"}})), "unknown_peer");
  EXPECT_EQ(Guest::code(guest.ask("restart", {{"peer", 1}, {"offer", "v=0"}})), "bad_sdp");
}

/// A fingerprint by another hash function beside each that is there.
std::string with_another_fingerprint(std::string offer) {
  std::string digits = "00";
  for (int i = 1; i < 64; ++i) digits += ":00";
  for (std::size_t at = offer.find("a=fingerprint:"); at != std::string::npos;
       at = offer.find("a=fingerprint:", offer.find("a=setup:", at))) {
    offer.insert(at, "a=fingerprint:sha-512 " + digits + "\r\n");
  }
  return offer;
}

TEST(WebRtcRestart, ThatIsRefusedChangesNothing) {
  Scene scene;
  Studio studio(scene, "cam");
  Guest guest = Guest::greeted(scene);
  Browser browser(scene);
  const std::string offer = browser.offer("chromium-recvonly");
  const std::string first = with_another_fingerprint(offer);
  const Json leg = guest.ask("subscribe", by_webrtc("cam", {{"offer", first}}));
  ASSERT_EQ(Guest::code(leg), "ok") << leg;

  browser.peer.restart();
  const Json refused =
      guest.ask("restart", {{"peer", 1}, {"offer", browser.offer("chromium-recvonly")}});
  EXPECT_EQ(Guest::code(refused), "bad_sdp") << refused;
  const Json same = guest.ask("restart", {{"peer", 1}, {"offer", first}});
  ASSERT_EQ(Guest::code(same), "ok") << same;
  EXPECT_EQ(attribute(std::string(same["answer"]), "ice-ufrag"),
            attribute(std::string(leg["webrtc"]["answer"]), "ice-ufrag"));
}

}  // namespace
}  // namespace runnel::session
