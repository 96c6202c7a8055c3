// Subscribers whose send queue is full: whole frames are dropped, and they are told.
#include "guest.h"

namespace runnel::session {
namespace {

struct Slow {
  explicit Slow(Scene& scene, std::string_view format)
      : publisher(Guest::greeted(scene)), subscriber(Guest::greeted(scene)) {
    channel = channel_of(publisher.ask("publish", publication("camera")));
    leg = subscriber.ask("subscribe", subscription("camera", websocket_leg(format)));
  }

  Guest publisher;
  Guest subscriber;
  std::uint16_t channel = 0;
  Json leg;
};

class SlowReader : public ::testing::TestWithParam<std::string> {};

TEST_P(SlowReader, LosesFramesUntilTheNextKeyFrameAndIsTold) {
  Scene scene;
  Slow slow(scene, GetParam());
  slow.publisher.send_packet(slow.channel, vp8_packet(1, true));
  ASSERT_EQ(slow.subscriber.media().size(), 1u);
  slow.subscriber.set_room(0);
  slow.publisher.send_packet(slow.channel, vp8_packet(2, false));
  EXPECT_TRUE(slow.subscriber.media().empty());
  const auto told = slow.subscriber.events("slow_reader");
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0]["leg"], slow.leg["leg"]);
  EXPECT_EQ(told[0]["dropped_packets"], 1);
  slow.publisher.send_packet(slow.channel, vp8_packet(3, false));
  EXPECT_TRUE(slow.subscriber.events("slow_reader").empty()) << "not more than once a second";

  scene.advance(seconds(2));
  slow.publisher.events("key_frame");
  slow.subscriber.set_room(1 << 20);
  slow.publisher.send_packet(slow.channel, vp8_packet(4, false));
  EXPECT_TRUE(slow.subscriber.media().empty()) << "it cannot be decoded";
  scene.advance(milliseconds(1));
  EXPECT_EQ(slow.publisher.events("key_frame").size(), 1u);
  slow.publisher.send_packet(slow.channel, vp8_packet(5, true));
  const auto media = slow.subscriber.media();
  ASSERT_EQ(media.size(), 1u);
  EXPECT_EQ(media[0][1] & 0x03, 0x03) << "a key frame behind a discontinuity";
  slow.publisher.send_packet(slow.channel, vp8_packet(6, false));
  EXPECT_EQ(slow.subscriber.media().size(), 1u);
}

TEST_P(SlowReader, IsToldHowMuchItHasMissedOnceItReadsAgain) {
  Scene scene;
  Slow slow(scene, GetParam());
  slow.publisher.send_packet(slow.channel, vp8_packet(1, true));
  slow.subscriber.set_room(0);
  for (std::uint16_t i = 2; i < 7; ++i) {
    slow.publisher.send_packet(slow.channel, vp8_packet(i, false));
  }
  slow.subscriber.events("slow_reader");
  slow.subscriber.set_room(1 << 20);
  slow.publisher.send_packet(slow.channel, vp8_packet(7, true));
  EXPECT_TRUE(slow.subscriber.events("slow_reader").empty()) << "not more than once a second";
  scene.advance(seconds(1));
  slow.publisher.send_packet(slow.channel, vp8_packet(8, false));
  const auto told = slow.subscriber.events("slow_reader");
  ASSERT_EQ(told.size(), 1u);
  EXPECT_EQ(told[0]["dropped_packets"], 5);
  scene.advance(seconds(1));
  slow.publisher.send_packet(slow.channel, vp8_packet(9, false));
  EXPECT_TRUE(slow.subscriber.events("slow_reader").empty());
}

TEST_P(SlowReader, TheDropsStandInTheStatistics) {
  Scene scene;
  Slow slow(scene, GetParam());
  slow.publisher.send_packet(slow.channel, vp8_packet(1, true));
  slow.subscriber.set_room(0);
  for (std::uint16_t i = 2; i < 6; ++i) {
    slow.publisher.send_packet(slow.channel, vp8_packet(i, false));
  }
  const Json stats = slow.subscriber.ask("stats", {{"leg", slow.leg["leg"]}});
  EXPECT_EQ(stats["to"][0]["tracks"][0]["drops"]["slow_reader"], 4) << stats;
}

TEST_P(SlowReader, OthersDoNotNotice) {
  Scene scene;
  Slow slow(scene, GetParam());
  Guest other = Guest::greeted(scene);
  other.ask("subscribe", subscription("camera", websocket_leg(GetParam())));
  slow.subscriber.set_room(0);
  for (std::uint16_t i = 1; i < 6; ++i) {
    slow.publisher.send_packet(slow.channel, vp8_packet(i, i == 1));
  }
  EXPECT_EQ(other.media().size(), 5u);
}

TEST(SlowReader, ItsRequestForAKeyFrameDiesWithItsLeg) {
  Scene scene;
  Slow slow(scene, "frame");
  slow.publisher.send_packet(slow.channel, vp8_packet(1, false));
  slow.subscriber.ask("unsubscribe", {{"leg", slow.leg["leg"]}});
  scene.advance(seconds(1));
  EXPECT_EQ(scene.desk.counts().subscriptions, 0u);
}

INSTANTIATE_TEST_SUITE_P(Formats, SlowReader, ::testing::Values("rtp", "frame"),
                         [](const auto& suite) { return suite.param; });

}  // namespace
}  // namespace runnel::session
