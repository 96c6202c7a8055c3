// Streams start, stall, end and come back.
#include <gtest/gtest.h>

#include "tests/simulation/stage.h"

namespace runnel::simulation {
namespace {

TEST(Lifecycle, silence_first_stalls_a_track_and_then_ends_it) {
  Stage stage(2);
  stage.publisher->start();
  stage.world.run_for(1s);
  EXPECT_TRUE(stage.source().live);
  stage.publisher->stop();
  stage.world.run_for(6s);
  EXPECT_EQ(stage.world.count_events<relay::TrackStalled>(), 1U);
  EXPECT_FALSE(stage.source().live);
  EXPECT_EQ(stage.viewer().goodbyes.size(), 0U);
  stage.world.run_for(25s);
  const auto ended = stage.world.events_of<relay::TrackEnded>();
  ASSERT_EQ(ended.size(), 1U);
  EXPECT_EQ(ended[0].reason, relay::EndReason::silence);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(stage.viewer(i).goodbyes, std::vector{stage.viewer(i).media_ssrc()});
  }
}

TEST(Lifecycle, a_source_whose_network_lost_any_number_of_packets_is_decrypted_again) {
  for (const std::size_t lost :
       {100U, 32'767U, 32'768U, 40'000U, 65'536U, 100'000U, 200'000U, 1'000'000U}) {
    relay::EngineLimits limits;
    limits.hold = 10min;
    Stage stage(1, limits);
    stage.publisher->start();
    stage.world.run_for(1s);
    stage.publisher->stop();
    for (std::size_t i = 0; i < lost; ++i) static_cast<void>(stage.publisher->make_packet(false));
    // A fast source, but not an impossible one.
    stage.world.run_for(lost < 200'000 ? 10s : std::chrono::seconds(lost / 10'000));
    EXPECT_EQ(stage.world.count_events<relay::TrackStalled>(), 1U);
    const std::size_t before = stage.viewer().packets.size();
    stage.publisher->start();
    stage.world.run_for(1s);
    EXPECT_EQ(stage.world.count_events<relay::TrackResumed>(), 1U) << lost;
    EXPECT_GE(stage.viewer().packets.size(), before + 4 * 25) << lost;
    EXPECT_EQ(stage.viewer().ssrcs().size(), 1U) << lost;
    EXPECT_EQ(stage.viewer().refused, 0U) << lost;
    EXPECT_EQ(stage.viewer().corrupted, 0U) << lost;
  }
}

TEST(Lifecycle, a_source_that_went_on_unheard_after_its_end_is_decrypted_among_forged_packets) {
  Stage stage;
  SeededRandom random(3);
  stage.publisher->start();
  stage.world.run_for(1s);
  stage.publisher->stop();
  for (int i = 0; i < 1'000'000; ++i) static_cast<void>(stage.publisher->make_packet(false));
  stage.world.run_for(100s);
  EXPECT_EQ(stage.world.count_events<relay::TrackEnded>(), 1U);
  stage.publisher->start();
  for (int i = 0; i < 500; ++i) {
    Bytes forged(200);
    random.fill(forged);
    forged[0] = 0x80;
    forged[1] = 96;
    store_be32(forged.data() + 8, stage.publisher->options.ssrc);
    stage.world.send(peer_address(666, 6666), kSourceRtp, std::move(forged));
    stage.world.run_for(20ms);
  }
  EXPECT_EQ(stage.world.count_events<relay::TrackStarted>(), 2U);
  EXPECT_TRUE(stage.source().live);
  EXPECT_EQ(stage.viewer().refused, 0U);
}

TEST(Lifecycle, a_source_that_returns_within_the_hold_time_finds_its_receivers) {
  Stage stage;
  stage.publisher->start();
  stage.world.run_for(1s);
  stage.publisher->send_goodbye();
  stage.publisher->stop();
  stage.world.run_for(20s);
  const auto ended = stage.world.events_of<relay::TrackEnded>();
  ASSERT_EQ(ended.size(), 1U);
  EXPECT_EQ(ended[0].reason, relay::EndReason::goodbye);
  EXPECT_EQ(stage.world.count_events<relay::TrackStalled>(), 0U);
  EXPECT_EQ(stage.viewer().goodbyes.size(), 0U) << "receivers are held";
  stage.publisher->restart(0x66666666, 1, 1);
  stage.publisher->start();
  stage.world.run_for(1s);
  EXPECT_EQ(stage.world.count_events<relay::TrackStarted>(), 2U);
  EXPECT_EQ(stage.viewer().ssrcs().size(), 1U);
  expect_flawless(stage.viewer());
}

TEST(Lifecycle, a_source_that_said_goodbye_and_stays_away_ends_its_receivers_once) {
  Stage stage;
  stage.publisher->start();
  stage.world.run_for(1s);
  stage.publisher->send_goodbye();
  stage.publisher->stop();
  stage.world.run_for(60s);
  EXPECT_EQ(stage.world.count_events<relay::TrackEnded>(), 1U);
  EXPECT_EQ(stage.viewer().goodbyes.size(), 1U);
}

TEST(Lifecycle, packets_that_the_goodbye_has_overtaken_are_relayed_and_start_nothing) {
  Stage stage;
  stage.publisher->send_frame();
  stage.world.run_for(100ms);
  const Bytes late = stage.publisher->make_packet(true);
  stage.publisher->send_goodbye();
  stage.world.run_for(100ms);
  stage.publisher->send(late);
  stage.world.run_for(100ms);
  EXPECT_EQ(stage.viewer().packets.size(), 5U);
  EXPECT_EQ(stage.world.count_events<relay::TrackStarted>(), 1U);
}

TEST(Lifecycle, after_the_end_a_returning_source_is_a_new_stream_to_each_receiver) {
  Stage stage(2);
  stage.publisher->start();
  stage.world.run_for(1s);
  stage.publisher->stop();
  stage.world.run_for(40s);
  stage.publisher->start();
  stage.world.run_for(1s);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(stage.viewer(i).ssrcs().size(), 2U);
    EXPECT_LT(stage.viewer(i).packets.back().sequence_number, (1U << 15) + 200);
    expect_flawless(stage.viewer(i));
  }
  EXPECT_EQ(stage.world.count_events<relay::TrackStarted>(), 2U);
}

TEST(Lifecycle, a_pinned_ssrc_survives_the_end_and_its_numbers_go_on) {
  World world;
  const auto source_key = make_key(1);
  const auto key = make_key(2);
  auto relay = camera("camera", &source_key);
  relay.to.push_back(screen(0, &key));
  relay.to[0].media[0].ssrc = 0xabcdef01;
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Viewer viewer(world, at_screen(0), &key);
  Publisher publisher(world, at_camera(), &source_key);
  for (int i = 0; i < 3; ++i) {
    publisher.start();
    world.run_for(1s);
    publisher.stop();
    world.run_for(40s);
  }
  EXPECT_EQ(viewer.goodbyes.size(), 3U);
  EXPECT_EQ(viewer.ssrcs(), std::set<std::uint32_t>{0xabcdef01});
  EXPECT_EQ(viewer.refused, 0U);
  for (std::size_t i = 1; i < viewer.packets.size(); ++i) {
    ASSERT_EQ(viewer.packets[i].position, viewer.packets[i - 1].position + 1);
  }
}

TEST(Lifecycle, a_stream_may_end_and_return_for_ever) {
  Stage stage;
  for (int i = 0; i < 100; ++i) {
    stage.publisher->restart(0x10000000U + static_cast<std::uint32_t>(i), 7, 7);
    stage.publisher->start();
    stage.world.run_for(200ms);
    stage.publisher->stop();
    stage.world.run_for(40s);
  }
  EXPECT_EQ(stage.viewer().ssrcs().size(), 100U);
  EXPECT_EQ(stage.viewer().goodbyes.size(), 100U);
  EXPECT_EQ(stage.viewer().packets.size(), stage.publisher->packets);
  expect_flawless(stage.viewer());
}

TEST(Lifecycle, a_clock_jump_of_an_hour_ends_streams_but_breaks_nothing) {
  Stage stage;
  stage.publisher->start();
  stage.publisher->send_report();
  stage.world.run_for(2s);
  stage.world.jump(1h);
  stage.world.run_for(3s);
  stage.publisher->send_report();
  stage.world.run_for(3s);
  EXPECT_TRUE(stage.source().live);
  expect_flawless(stage.viewer());
  EXPECT_LT(stage.world.wake_ups, 500U);
}

TEST(Lifecycle, shutting_down_says_goodbye_to_receivers_and_to_the_source) {
  Stage stage(3);
  stage.publisher->start();
  stage.world.run_for(1s);
  stage.publisher->send_report();
  stage.world.run_for(30ms);
  stage.world.shut_down();
  stage.world.run_for(100ms);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(stage.viewer(i).goodbyes, std::vector{stage.viewer(i).media_ssrc()});
  }
  EXPECT_EQ(stage.publisher->goodbyes, 1U);
  EXPECT_EQ(stage.publisher->faults, 0U);
  const std::size_t relayed = stage.viewer().packets.size();
  stage.world.run_for(5s);
  EXPECT_EQ(stage.viewer().packets.size(), relayed) << "nothing follows a BYE";
  EXPECT_EQ(stage.world.engine.next_timeout(), std::nullopt);
}

TEST(Lifecycle, shutting_down_with_nobody_there_says_nothing) {
  Stage stage(3);
  stage.world.shut_down();
  stage.world.run_for(1s);
  EXPECT_EQ(stage.viewer().goodbyes.size(), 0U);
  EXPECT_EQ(stage.world.unreachable, 0U);
}

TEST(Lifecycle, an_idle_engine_sleeps) {
  Stage stage(3);
  EXPECT_EQ(stage.world.engine.next_timeout(), std::nullopt);
  stage.publisher->send_frame();
  stage.world.run_for(10min);
  // One wake-up for the frame, five reports, stall, end.
  EXPECT_LT(stage.world.wake_ups, 60U);
  EXPECT_EQ(stage.world.engine.next_timeout(), std::nullopt);
}

TEST(Lifecycle, two_streams_live_their_own_lives) {
  World world;
  const auto key = make_key(1);
  auto relay = camera("one", &key);
  relay.to.push_back(screen(0, &key));
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  auto other = camera("two", &key);
  other.from.media[0].ports = {PortIndex{5}, PortIndex{6}};
  other.to.push_back(screen(1, &key));
  ASSERT_EQ(world.engine.add_relay(std::move(other)), 1U);
  Viewer first_viewer(world, at_screen(0), &key);
  Viewer second_viewer(world, at_screen(1), &key);
  Publisher first_publisher(world, at_camera(), &key);
  auto options = at_camera();
  options.rtp = peer_address(3, 40000);
  options.rtcp = peer_address(3, 40001);
  options.rtp_port = PortIndex{5};
  options.rtcp_port = PortIndex{6};
  Publisher second_publisher(world, options, &key);
  first_publisher.start();
  second_publisher.start();
  world.run_for(1s);
  first_publisher.stop();
  world.run_for(40s);
  EXPECT_EQ(first_viewer.goodbyes.size(), 1U);
  EXPECT_EQ(second_viewer.goodbyes.size(), 0U);
  EXPECT_TRUE(world.engine.statistics(1).from[0].live);
  expect_flawless(first_viewer);
  expect_flawless(second_viewer);
}

}  // namespace
}  // namespace runnel::simulation
