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

/// A few clients that ask for anything at any time.
class Crowd {
 public:
  explicit Crowd(Scene& scene) : scene_(scene) {
    for (int i = 0; i < 6; ++i) guests_.push_back(greet());
  }

  void do_something() {
    ++steps_;
    Guest& guest = guests_[dice_() % guests_.size()];
    switch (dice_() % 6) {
      case 0:
        return begin_leg(guest);
      case 1:
        return change_leg(guest);
      case 2:
        return ask_about(guest);
      case 3:
        return send_media(guest);
      case 4:
        if (dice_() % 4 == 0) guest.ask("bye");
        if (dice_() % 2 == 0) guest.disconnect();
        guest = greet();
        return;
      default:
        return scene_.advance(milliseconds(dice_() % 4000));
    }
  }

 private:
  Guest greet() {
    Guest guest(scene_);
    Json hello = Json::object();
    if (!sessions_.empty() && chance()) hello["resume"] = sessions_[dice_() % sessions_.size()];
    const Json answer = guest.ask("hello", hello);
    if (Guest::code(answer) == "ok") sessions_.push_back(answer["session"]);
    if (sessions_.size() > 20) sessions_.erase(sessions_.begin());
    return guest;
  }
  bool chance() { return dice_() % 2 == 0; }
  std::string stream() { return "s" + std::to_string(dice_() % 3); }
  std::uint16_t small() { return static_cast<std::uint16_t>(dice_() % 12 + 1); }

  void begin_leg(Guest& guest) {
    const Json leg = websocket_leg(chance() ? "rtp" : "frame");
    if (chance()) {
      const Json tracks =
          chance() ? Json::array({video_track()}) : Json::array({audio_track(), video_track()});
      Json wish = publication(stream(), leg, tracks);
      wish["take_over"] = chance();
      guest.ask("publish", wish);
    } else {
      Json wish = subscription(stream(), leg);
      wish["wait_ms"] = dice_() % 4 * 1000;
      guest.ask("subscribe", wish);
    }
  }
  void change_leg(Guest& guest) {
    const Json leg = {{"leg", small()}};
    if (dice_() % 3 == 0) guest.ask("unpublish", leg);
    if (dice_() % 3 == 0) guest.ask("unsubscribe", leg);
    guest.ask("update", {{"leg", small()}, {"paused", chance()}, {"key_frame", true}});
  }
  void ask_about(Guest& guest) {
    guest.ask("stats", {{"leg", small()}, {"interval_ms", dice_() % 3 * 500}});
    guest.ask("watch", {{"prefix", stream()}, {"stop", chance()}});
  }
  void send_media(Guest& guest) {
    guest.set_room(dice_() % 3 == 0 ? 0 : 1 << 20);
    const bool is_key_frame = dice_() % 4 == 0;
    guest.send_packet(small(), vp8_packet(steps_, is_key_frame));
    guest.send_frame(small(), std::uint64_t{steps_} * 1000, is_key_frame,
                     vp8_frame(is_key_frame, 1, 10 + dice_() % 100'000));
  }

  Scene& scene_;
  std::mt19937 dice_{11};
  std::vector<Guest> guests_;
  std::vector<std::string> sessions_;
  std::uint16_t steps_ = 0;
};

TEST(Churn, RequestsInAnyOrderBreakNothing) {
  Scene scene;
  Crowd crowd(scene);
  for (int i = 0; i < 10'000; ++i) {
    crowd.do_something();
    if (i % 100 != 0) continue;
    for (auto& [id, box] : scene.mailboxes) box = {};
  }
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
