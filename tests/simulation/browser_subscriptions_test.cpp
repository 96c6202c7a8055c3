// One peer connection that lasts while what it watches and publishes comes and goes.
#include <limits>

#include "tests/simulation/browser_stage.h"

namespace runnel::simulation {
namespace {

using Subscriptions = BrowserStage;

/// More than a peer has SRTP contexts for, at two SSRCs each.
constexpr std::size_t kComings = 500;

TEST_F(Subscriptions, the_five_hundredth_on_a_peer_connection_plays_like_the_first) {
  publisher();
  Browser& screen = add(2);
  std::size_t last = 0;
  for (std::size_t i = 0; i < kComings; ++i) {
    const auto receiver = world_.engine.add_receiver(0, screen.receiver_leg("v0"));
    ASSERT_TRUE(receiver);
    last = *receiver;
    world_.drain();
    world_.run_for(1s);
    ASSERT_GE(got_by(screen, last).packets, 2U) << "the " << i << "th";
    if (i + 1 == kComings) break;
    world_.engine.remove_receiver(0, last);
    world_.drain();
  }
  EXPECT_EQ(screen.received.size(), kComings) << "none has had the SSRC of another";
  screen.repair(ssrc_of(last), world_.engine.retransmission_ssrc({0, last, 0}));
  world_.down.loss = 0.05;
  world_.run_for(2s);
  world_.down.loss = 0;
  world_.run_for(1s);
  expect_continuous(got_by(screen, last));
  EXPECT_GT(statistics_of(last).retransmitted_packets, 0U);
}

TEST_F(Subscriptions, one_that_stays_does_not_notice_those_that_go) {
  publisher();
  Browser& screen = viewer(2);
  for (std::size_t i = 0; i < kComings; ++i) {
    const auto receiver = world_.engine.add_receiver(0, screen.receiver_leg("v1"));
    ASSERT_TRUE(receiver);
    world_.drain();
    world_.run_for(40ms);
    world_.engine.remove_receiver(0, *receiver);
    world_.drain();
  }
  expect_continuous(got_by(screen, 0));
  EXPECT_LT(world_.now - got_by(screen, 0).arrivals.back(), 100ms);
}

TEST_F(Subscriptions, the_five_hundredth_stream_of_a_publisher_is_asked_for_key_frames) {
  Browser& camera = add(1);
  camera.encodings.push_back({.ssrc = 0x1111, .retransmission_ssrc = 0x1112});
  camera.names_packets = std::numeric_limits<std::uint64_t>::max();
  camera.start_sending();
  Browser& screen = add(2);
  for (std::size_t i = 0; i < kComings; ++i) {
    const auto relay =
        world_.engine.add_relay({.stream = "camera", .from = camera.source_leg(), .to = {}});
    ASSERT_TRUE(relay);
    world_.run_for(200ms);
    const std::uint64_t asked = camera.encodings[0].key_frames_asked;
    ASSERT_TRUE(world_.engine.add_receiver(*relay, screen.receiver_leg("v0")));
    world_.drain();
    world_.run_for(200ms);
    ASSERT_GT(camera.encodings[0].key_frames_asked, asked) << "the " << i << "th";
    world_.engine.remove_relay(*relay);
    world_.drain();
  }
}

}  // namespace
}  // namespace runnel::simulation
