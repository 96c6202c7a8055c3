// Who tries to take a source's place, and does not keep it.
#include <gtest/gtest.h>

#include "tests/simulation/stage.h"

namespace runnel::simulation {
namespace {

const SocketAddress kAttacker = peer_address(666, 6666);

/// Of an earlier session, under the same key as the live one.
PublisherOptions earlier_session(std::uint32_t ssrc) {
  auto options = at_camera();
  options.rtp = options.rtcp = kAttacker;
  options.ssrc = ssrc;
  return options;
}

Duration longest_pause(const Viewer& viewer) {
  Duration longest{};
  for (std::size_t i = 1; i < viewer.packets.size(); ++i) {
    longest = std::max(longest, viewer.packets[i].arrival - viewer.packets[i - 1].arrival);
  }
  return longest;
}

TEST(Takeover, packets_recorded_from_an_earlier_session_cannot_silence_a_live_source) {
  Stage stage;
  Publisher recording(stage.world, earlier_session(0x99999999), &stage.source_key);
  stage.publisher->start();
  stage.world.run_for(1s);
  for (int i = 0; i < 10; ++i) {
    recording.send(recording.make_packet(true));
    stage.world.run_for(3s);
  }
  EXPECT_EQ(stage.source().ssrc, stage.publisher->options.ssrc);
  EXPECT_EQ(stage.source().source, stage.publisher->options.rtp);
  EXPECT_LT(longest_pause(stage.viewer()), 350ms);
  EXPECT_EQ(stage.source().restarts, 2U) << "there and back; then it is known";
  EXPECT_EQ(stage.viewer().ssrcs().size(), 1U);
  EXPECT_EQ(stage.viewer().refused, 0U);
  EXPECT_GE(stage.publisher->picture_loss_indications, 1U) << "the picture is whole again soon";
}

TEST(Takeover, one_packet_of_each_of_many_earlier_sessions_silences_only_for_a_moment) {
  Stage stage;
  stage.publisher->start();
  stage.world.run_for(1s);
  for (std::uint32_t i = 0; i < 30; ++i) {
    Publisher recording(stage.world, earlier_session(0x90000000 + i), &stage.source_key);
    recording.send(recording.make_packet(true));
    stage.world.run_for(2s);
    EXPECT_EQ(stage.source().ssrc, stage.publisher->options.ssrc);
  }
  EXPECT_LT(longest_pause(stage.viewer()), 350ms);
  EXPECT_EQ(stage.viewer().ssrcs().size(), 1U);
}

TEST(Takeover, two_sources_that_send_long_bursts_at_once_do_not_take_turns) {
  auto options = at_camera();
  options.packets_per_frame = 50;
  Stage stage(1, {}, 1, options);
  options.rtp = peer_address(3, 40000);
  options.rtcp = peer_address(3, 40001);
  options.ssrc = 0x77777777;
  Publisher newer(stage.world, options, &stage.source_key);
  stage.publisher->start();
  stage.world.run_for(1s);
  stage.world.after(20ms, [&newer] { newer.start(); });
  stage.world.run_for(5s);
  EXPECT_EQ(stage.source().ssrc, 0x77777777U);
  EXPECT_EQ(stage.source().restarts, 1U);
}

/// A camera and a screen, both in the clear.
struct ClearStage {
  ClearStage() {
    auto relay = camera("camera", nullptr);
    relay.to.push_back(screen(0, nullptr));
    EXPECT_TRUE(world.engine.add_relay(std::move(relay)));
    publisher.start();
    world.run_for(1s);
    world.up.delay = 0ms;
  }
  [[nodiscard]] relay::SourceMediumStatistics source() const {
    return world.engine.statistics(0).from.at(0);
  }

  World world;
  Viewer viewer{world, at_screen(0), nullptr};
  Publisher publisher{world, at_camera(), nullptr};
};

TEST(Takeover, forged_packets_of_a_hundred_thousand_ssrcs_neither_interrupt_nor_fill_the_log) {
  ClearStage stage;
  SeededRandom random(3);
  const std::size_t told = stage.world.events.size();
  for (int i = 0; i < 1000; ++i) {
    for (int j = 0; j < 100; ++j) {
      Bytes forged(12 + random.u32() % 200);
      random.fill(forged);
      forged[0] = 0x80;
      forged[1] = 96;
      stage.world.send(kAttacker, kSourceRtp, std::move(forged));
    }
    stage.world.run_for(5ms);
  }
  stage.publisher.stop();
  stage.world.run_for(100ms);
  EXPECT_LE(stage.world.events.size(), told + 2);
  EXPECT_EQ(stage.source().restarts, 0U);
  EXPECT_EQ(stage.source().source, stage.publisher.options.rtp);
  EXPECT_EQ(stage.source().drops[DropReason::unknown_ssrc], 100'000U);
  EXPECT_EQ(stage.viewer.packets.size(), stage.publisher.packets);
  expect_flawless(stage.viewer);
}

TEST(Takeover, who_forges_two_packets_in_sequence_in_the_clear_is_soon_put_right) {
  ClearStage stage;
  auto options = earlier_session(0x99999999);
  Publisher forger(stage.world, options, nullptr);
  for (int i = 0; i < 2; ++i) forger.send(forger.make_packet(true));
  stage.world.run_for(5s);
  EXPECT_EQ(stage.source().ssrc, stage.publisher.options.ssrc);
  EXPECT_LT(longest_pause(stage.viewer), 350ms);
}

TEST(Takeover, pairs_of_a_packet_and_a_goodbye_in_the_clear_cannot_fill_the_log) {
  ClearStage stage;
  const std::size_t told = stage.world.events.size();
  Publisher forger(stage.world, earlier_session(1), nullptr);
  forger.options.rtcp_port = kSourceRtcp;
  for (std::uint32_t i = 0; i < 10'000; ++i) {
    forger.restart(0x90000000 + i, 1, 1);
    for (int j = 0; j < 2; ++j) forger.send(forger.make_packet(true));
    forger.send_goodbye();
    stage.world.run_for(1ms);
  }
  EXPECT_LE(stage.world.events.size(), told + 15) << "in ten seconds";
  EXPECT_GE(stage.source().restarts, 1000U) << "but it shows";
  stage.world.run_for(2s);
  EXPECT_EQ(stage.source().ssrc, stage.publisher.options.ssrc);
}

TEST(Takeover, a_source_in_the_clear_that_restarts_is_followed_from_its_second_packet_on) {
  ClearStage stage;
  stage.publisher.restart(0x33333333, 60123, 17);
  stage.world.run_for(1s);
  stage.publisher.stop();
  stage.world.run_for(100ms);
  EXPECT_EQ(stage.source().ssrc, 0x33333333U);
  EXPECT_EQ(stage.source().restarts, 1U);
  EXPECT_EQ(stage.viewer.packets.size(), stage.publisher.packets - 1);
  EXPECT_EQ(stage.viewer.ssrcs().size(), 1U);
  expect_flawless(stage.viewer);
}

}  // namespace
}  // namespace runnel::simulation
