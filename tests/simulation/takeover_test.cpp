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

}  // namespace
}  // namespace runnel::simulation
