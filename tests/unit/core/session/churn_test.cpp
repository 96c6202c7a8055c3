// Comings and goings without end: nothing is left behind, neither at the desk nor in the engine.
#include "guest.h"

namespace runnel::session {
namespace {

TEST(Churn, TenThousandComingsAndGoingsLeaveNothing) {
  Scene scene;
  std::mt19937 dice(7);
  for (int i = 0; i < 10'000; ++i) {
    const std::string stream = "camera-" + std::to_string(dice() % 5);
    Guest publisher = Guest::greeted(scene);
    Guest subscriber = Guest::greeted(scene);
    const Json published = publisher.ask("publish", publication(stream));
    Json wish = subscription(stream, websocket_leg(dice() % 2 == 0 ? "rtp" : "frame"));
    wish["wait_ms"] = dice() % 2 * 20'000;
    subscriber.ask("subscribe", wish);
    if (Guest::code(published) == "ok") {
      publisher.send_packet(channel_of(published), vp8_packet(static_cast<std::uint16_t>(i), true));
    }
    if (dice() % 3 == 0) publisher.ask("bye");
    if (dice() % 2 == 0) {
      publisher.disconnect();
      subscriber.disconnect();
    } else {
      subscriber.disconnect();
      publisher.disconnect();
    }
    scene.advance(milliseconds(dice() % 3 * 5'000));
    scene.mailboxes.clear();
  }
  scene.advance(seconds(120));
  const Desk::Counts counts = scene.desk.counts();
  EXPECT_EQ(counts.connections, 0u);
  EXPECT_EQ(counts.sessions, 0u);
  EXPECT_EQ(counts.streams, 0u);
  EXPECT_EQ(counts.publications, 0u);
  EXPECT_EQ(counts.subscriptions, 0u);
  EXPECT_EQ(scene.relay_count(), 0u);
  EXPECT_FALSE(scene.desk.next_timeout().has_value());
}

/// Any request at any time by any of a few clients; the desk neither throws nor aborts.
TEST(Churn, RequestsInAnyOrderBreakNothing) {
  Scene scene;
  std::mt19937 dice(11);
  std::vector<Guest> guests;
  std::vector<std::string> sessions;
  const auto greet = [&] {
    Guest guest(scene);
    Json hello = Json::object();
    if (!sessions.empty() && dice() % 2 == 0) hello["resume"] = sessions[dice() % sessions.size()];
    const Json answer = guest.ask("hello", hello);
    if (Guest::code(answer) == "ok") sessions.push_back(answer["session"]);
    if (sessions.size() > 20) sessions.erase(sessions.begin());
    return guest;
  };
  for (int i = 0; i < 6; ++i) guests.push_back(greet());
  for (int i = 0; i < 20'000; ++i) {
    Guest& guest = guests[dice() % guests.size()];
    const std::string stream = "s" + std::to_string(dice() % 3);
    const int leg = static_cast<int>(dice() % 12) + 1;
    const char* format = dice() % 2 == 0 ? "rtp" : "frame";
    const Json tracks = dice() % 2 == 0 ? Json::array({video_track()})
                                        : Json::array({audio_track(), video_track()});
    switch (dice() % 12) {
      case 0: {
        Json wish = publication(stream, websocket_leg(format), tracks);
        wish["take_over"] = dice() % 2 == 0;
        guest.ask("publish", wish);
        break;
      }
      case 1: {
        Json wish = subscription(stream, websocket_leg(format));
        wish["wait_ms"] = dice() % 4 * 1000;
        guest.ask("subscribe", wish);
        break;
      }
      case 2:
        guest.ask("unpublish", {{"leg", leg}});
        break;
      case 3:
        guest.ask("unsubscribe", {{"leg", leg}});
        break;
      case 4:
        guest.ask("update", {{"leg", leg}, {"paused", dice() % 2 == 0}, {"key_frame", true}});
        break;
      case 5:
        guest.ask("stats", {{"leg", leg}, {"interval_ms", dice() % 3 * 500}});
        break;
      case 6:
        guest.ask("watch", {{"prefix", stream}, {"stop", dice() % 2 == 0}});
        break;
      case 7:
      case 8:
        guest.set_room(dice() % 3 == 0 ? 0 : 1 << 20);
        guest.send_packet(static_cast<std::uint16_t>(leg),
                          vp8_packet(static_cast<std::uint16_t>(i), dice() % 4 == 0));
        break;
      case 9:
        guest.send_frame(static_cast<std::uint16_t>(leg), static_cast<std::uint64_t>(i) * 1000,
                         dice() % 4 == 0, vp8_frame(dice() % 4 == 0, 1, 1 + dice() % 100'000));
        break;
      case 10:
        if (dice() % 4 == 0) guest.ask("bye");
        if (dice() % 2 == 0) guest.disconnect();
        guest = greet();
        break;
      default:
        scene.advance(milliseconds(dice() % 4000));
        break;
    }
    if (i % 100 == 0) {
      for (auto& [id, box] : scene.mailboxes) box = {};
    }
  }
  for (Guest& guest : guests) guest.disconnect();
  for (const auto& [id, box] : scene.mailboxes) scene.desk.disconnect(scene.moment, id);
  scene.settle();
  scene.advance(seconds(120));
  EXPECT_EQ(scene.desk.counts().connections, 0u);
  EXPECT_EQ(scene.desk.counts().sessions, 0u);
  EXPECT_EQ(scene.desk.counts().streams, 0u);
  EXPECT_EQ(scene.relay_count(), 0u);
  EXPECT_FALSE(scene.desk.next_timeout().has_value());
}

TEST(Churn, RestLeavesNothingEither) {
  Scene scene;
  const Json body = {{"leg", {{"srtp", {{"suites", {"AES_CM_128_HMAC_SHA1_80"}}}}}},
                     {"tracks", Json::array({video_track()})}};
  for (int i = 0; i < 1'000; ++i) {
    EXPECT_EQ(scene.rest("POST", "/v1/streams/camera/publication", body).status, 201);
    EXPECT_EQ(scene.rest("DELETE", "/v1/streams/camera/publication").status, 200);
    scene.advance(milliseconds(100));
  }
  EXPECT_EQ(scene.desk.counts().sessions, 0u);
  EXPECT_EQ(scene.relay_count(), 0u);
}

}  // namespace
}  // namespace runnel::session
