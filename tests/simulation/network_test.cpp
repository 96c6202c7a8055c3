// What the network does to packets reaches the receivers as it is, and no worse.
#include <gtest/gtest.h>

#include "tests/simulation/stage.h"

namespace runnel::simulation {
namespace {

TEST(Network, ten_percent_loss_and_reordering_reach_the_receiver_unchanged) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Stage stage(2, {}, seed);
    stage.world.up.loss = 0.1;
    stage.world.up.reordering = 0.1;
    stage.world.up.jitter = 8ms;
    stage.publisher->start();
    stage.world.run_for(20s);
    stage.publisher->stop();
    stage.world.run_for(1s);
    EXPECT_EQ(stage.viewer().packets.size(), stage.source().packets);
    EXPECT_NEAR(static_cast<double>(stage.source().packets), 0.9 * stage.publisher->packets, 100);
    EXPECT_EQ(stage.viewer(0).numbers(), stage.viewer(1).numbers());
    expect_flawless(stage.viewer());
    expect_gaps_of_the_source(stage.viewer());
  }
}

TEST(Network, duplicates_are_relayed_once) {
  Stage stage;
  stage.world.up.duplication = 0.5;
  stage.world.up.reordering = 0.2;
  stage.publisher->start();
  stage.world.run_for(10s);
  stage.publisher->stop();
  stage.world.run_for(1s);
  EXPECT_EQ(stage.viewer().packets.size(), stage.publisher->packets);
  expect_flawless(stage.viewer());
  EXPECT_GT(stage.source().drops[DropReason::replayed], 400U);
}

TEST(Network, reordered_first_packets_are_not_lost) {
  Stage stage;
  std::vector<Bytes> packets;
  for (int i = 0; i < 8; ++i) packets.push_back(stage.publisher->make_packet(true));
  for (const std::size_t i : {5U, 2U, 7U, 0U, 1U, 6U, 3U, 4U}) {
    stage.publisher->send(packets[i]);
    stage.world.run_for(1ms);
  }
  stage.world.run_for(100ms);
  EXPECT_EQ(stage.viewer().numbers().size(), 8U);
  expect_gaps_of_the_source(stage.viewer());
}

TEST(Network, restarts_amid_loss_and_reordering_never_repeat_a_number) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Stage stage(1, {}, seed);
    SeededRandom random(seed);
    stage.world.up.loss = 0.05;
    stage.world.up.reordering = 0.2;
    stage.world.up.reordering_delay = 70ms;
    stage.world.up.duplication = 0.05;
    stage.publisher->start();
    for (int i = 0; i < 20; ++i) {
      stage.publisher->restart(random.u32(), static_cast<std::uint16_t>(random.u32()),
                               random.u32());
      stage.world.run_for(Duration(random.u32() % 1'000'000'000));
    }
    EXPECT_EQ(stage.viewer().ssrcs().size(), 1U);
    expect_flawless(stage.viewer());
  }
}

TEST(Network, an_outage_of_twenty_seconds_is_a_stall_and_not_an_end) {
  Stage stage;
  stage.publisher->start();
  stage.world.run_for(2s);
  stage.world.up.loss = 1;
  stage.world.run_for(20s);
  stage.world.up.loss = 0;
  stage.world.run_for(2s);
  EXPECT_EQ(stage.world.count_events<relay::TrackStalled>(), 1U);
  EXPECT_EQ(stage.world.count_events<relay::TrackResumed>(), 1U);
  EXPECT_EQ(stage.world.count_events<relay::TrackEnded>(), 0U);
  EXPECT_EQ(stage.viewer().ssrcs().size(), 1U);
  expect_flawless(stage.viewer());
  expect_gaps_of_the_source(stage.viewer());
}

TEST(Network, an_outage_of_more_than_half_a_circle_of_numbers_never_makes_one_be_used_twice) {
  auto options = at_camera();
  options.packets_per_frame = 80;
  options.payload_size = 30;
  Stage stage(1, {}, 1, options);
  stage.publisher->start();
  stage.world.run_for(1s);
  stage.world.up.loss = 1;
  stage.world.run_for(25s);  // 50,000 packets
  stage.world.up.loss = 0;
  stage.world.run_for(20s);
  expect_flawless(stage.viewer());
  EXPECT_EQ(stage.viewer().refused, 0U);
}

}  // namespace
}  // namespace runnel::simulation
