// Browsers that publish and watch: peers on the shared port, with simulcast, losses and NACKs.
#include <algorithm>

#include "tests/simulation/browser_stage.h"

namespace runnel::simulation {
namespace {

bool is_gapless(const std::vector<std::uint16_t>& numbers) {
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    if (numbers[i] != static_cast<std::uint16_t>(numbers[i - 1] + 1)) return false;
  }
  return true;
}

using Browsers = BrowserStage;

TEST_F(Browsers, a_viewer_gets_what_another_publishes_from_a_key_frame_on_without_a_gap) {
  publisher();
  Browser& screen = viewer(2);
  world_.run_for(3s);
  const Received& got = screen.received[ssrc_of(0)];
  EXPECT_GT(got.packets, 100U);
  EXPECT_GE(got.key_frames, 1U);
  EXPECT_TRUE(is_gapless(got.sequence_numbers));
  EXPECT_EQ(got.mid, "v0");
  EXPECT_EQ(got.payload_type, 96);
  EXPECT_GT(got.picture_ids.size(), 0U);
}

TEST_F(Browsers, a_publisher_is_told_of_arrivals_and_reported_to) {
  Browser& camera = publisher();
  world_.run_for(2s);
  EXPECT_GT(camera.transport_feedbacks, 20U);
  EXPECT_GE(camera.reports, 2U);
}

TEST_F(Browsers, what_a_publisher_loses_is_asked_for_and_reaches_the_viewer) {
  Browser& camera = publisher();
  Browser& screen = viewer(2);
  world_.run_for(1s);
  camera.loses_every = 10;
  world_.run_for(5s);
  camera.loses_every = 0;
  world_.run_for(1s);
  EXPECT_GT(camera.nacked, 10U);
  std::vector<std::uint16_t> numbers = screen.received[ssrc_of(0)].sequence_numbers;
  std::ranges::sort(numbers);
  EXPECT_TRUE(is_gapless(numbers));
}

TEST_F(Browsers, a_viewer_that_misses_packets_gets_them_again_in_a_stream_of_their_own) {
  publisher();
  Browser& screen = viewer(2);
  world_.run_for(2s);
  const std::uint32_t ssrc = ssrc_of(0);
  const std::vector<std::uint16_t>& numbers = screen.received[ssrc].sequence_numbers;
  screen.report_lost(ssrc, {numbers[numbers.size() - 3], numbers[numbers.size() - 2]});
  world_.run_for(100ms);
  const auto repeated = world_.engine.retransmission_ssrc({0, 0, 0});
  ASSERT_TRUE(repeated);
  EXPECT_EQ(screen.received[*repeated].packets, 2U);
  EXPECT_EQ(screen.received[*repeated].payload_type, 97);
}

TEST_F(Browsers, of_three_encodings_a_viewer_gets_the_best_and_switches_down_and_up_without_a_gap) {
  simulcaster();
  Browser& screen = viewer(2);
  world_.run_for(3s);
  const Received& got = screen.received[ssrc_of(0)];
  ASSERT_FALSE(got.heights.empty());
  EXPECT_EQ(got.heights.back(), 720U);
  EXPECT_EQ(statistics_of(0).rid, "h");

  world_.engine.set_layers({0, 0, 0}, {.max_height = 200, .rid = {}});
  world_.drain();
  world_.run_for(1s);
  EXPECT_EQ(got.heights.back(), 180U);
  EXPECT_EQ(statistics_of(0).rid, "l");

  world_.engine.set_layers({0, 0, 0}, {.max_height = std::nullopt, .rid = "m"});
  world_.drain();
  world_.run_for(1s);
  EXPECT_EQ(got.heights.back(), 360U);

  EXPECT_TRUE(is_gapless(got.sequence_numbers));
  for (std::size_t i = 1; i < got.timestamps.size(); ++i) {
    const std::int32_t step = static_cast<std::int32_t>(got.timestamps[i] - got.timestamps[i - 1]);
    EXPECT_GE(step, 0);
    EXPECT_LT(step, 90'000);
    const auto picture = static_cast<std::uint16_t>(got.picture_ids[i] - got.picture_ids[i - 1]);
    EXPECT_LE(picture & 0x7fff, 1);
    EXPECT_LT(got.arrivals[i] - got.arrivals[i - 1], 500ms);
  }
}

TEST_F(Browsers, viewers_are_led_to_another_encoding_when_theirs_is_no_longer_sent) {
  Browser& camera = simulcaster();
  viewer(2);
  world_.run_for(3s);
  EXPECT_EQ(statistics_of(0).rid, "h");
  camera.encodings[2].active = false;
  world_.run_for(3s);
  EXPECT_EQ(statistics_of(0).rid, "m");
  camera.encodings[2].active = true;
  world_.run_for(3s);
  EXPECT_EQ(statistics_of(0).rid, "h");
}

TEST_F(Browsers, five_hundred_viewers_that_join_at_once_cost_the_publisher_a_few_key_frames) {
  Browser& camera = publisher();
  const std::uint64_t before = camera.encodings[0].key_frames_asked;
  for (std::uint16_t i = 0; i < 500; ++i) viewer(static_cast<std::uint16_t>(100 + i));
  world_.run_for(3s);
  std::size_t served = 0;
  for (const auto& browser : browsers_) {
    for (const auto& [ssrc, got] : browser->received) served += got.key_frames > 0 ? 1 : 0;
  }
  EXPECT_EQ(served, 500U);
  EXPECT_LE(camera.encodings[0].key_frames_asked - before, 7U);
}

}  // namespace
}  // namespace runnel::simulation
