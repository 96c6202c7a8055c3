// Several media in one leg: ports of their own, or one for all.
#include <gtest/gtest.h>

#include "tests/simulation/stage.h"

namespace runnel::simulation {
namespace {

TEST(Media, audio_and_video_of_one_source_go_each_its_way_and_share_a_name) {
  World world;
  const auto source_key = make_key(1);
  const auto key = make_key(2);
  auto relay = camera("studio", &source_key);
  relay::SourceMedium& audio = relay.from.media.emplace_back();
  audio.name = "audio";
  audio.codec = audio_codec();
  audio.payload_type = 111;
  audio.ports = {PortIndex{3}, PortIndex{4}};
  relay::ReceiverLeg leg = screen(0, &key);
  relay::ReceiverLeg second = screen(1, &key);
  second.media[0].source = 1;
  second.media[0].payload_type = 109;
  leg.media.push_back(std::move(second.media[0]));
  relay.to.push_back(std::move(leg));
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Viewer video_viewer(world, at_screen(0), &key);
  Viewer audio_viewer(world, at_screen(1), &key);
  Publisher video(world, at_camera(), &source_key);
  Publisher sound(world,
                  {.rtp = peer_address(1, 40002),
                   .rtcp = peer_address(1, 40003),
                   .rtp_port = PortIndex{3},
                   .rtcp_port = PortIndex{4},
                   .payload_type = 111,
                   .clock_rate = 48000,
                   .ssrc = 0x44444444,
                   .frame_interval = 20ms,
                   .packets_per_frame = 1},
                  &source_key);
  video.start();
  sound.start();
  world.run_for(1s);
  video.send_report();
  sound.send_report();
  world.run_for(100ms);
  EXPECT_GE(video_viewer.packets.size(), 100U);
  EXPECT_GE(audio_viewer.packets.size(), 50U);
  EXPECT_EQ(audio_viewer.packets.back().payload_type, 109);
  expect_flawless(video_viewer);
  expect_flawless(audio_viewer);
  EXPECT_EQ(video_viewer.cname.size(), 16U);
  EXPECT_EQ(video_viewer.cname, audio_viewer.cname) << "what is in sync has one CNAME";
}

/// Audio and video on one port, both to the first screen.
relay::RelayDescription bundle(const srtp::MasterKey& source_key, const srtp::MasterKey& key) {
  auto relay = camera("studio", &source_key);
  relay.from.media[0].ports = {kSourceRtp, std::nullopt};
  relay::SourceMedium& audio = relay.from.media.emplace_back();
  audio.name = "audio";
  audio.codec = audio_codec();
  audio.payload_type = 111;
  audio.ports = {kSourceRtp, std::nullopt};
  relay::ReceiverLeg leg = screen(0, &key);
  leg.media.push_back(leg.media[0]);
  leg.media[1].source = 1;
  leg.media[1].payload_type = 111;
  relay.to.push_back(std::move(leg));
  return relay;
}

TEST(Media, bundled_on_one_port_are_told_apart_by_payload_type_and_ssrc) {
  World world;
  const auto source_key = make_key(1);
  const auto key = make_key(2);
  ASSERT_TRUE(world.engine.add_relay(bundle(source_key, key)));
  Viewer viewer(world, at_screen(0), &key);
  auto options = at_camera();
  options.rtcp = options.rtp;
  options.rtcp_port = kSourceRtp;
  Publisher video(world, options, &source_key);
  options.ssrc = 0x55555555;
  options.payload_type = 111;
  options.rtp = options.rtcp = peer_address(1, 40010);
  Publisher sound(world, options, &source_key);
  video.start();
  sound.start();
  world.run_for(1s);
  EXPECT_EQ(viewer.ssrcs().size(), 2U);
  EXPECT_EQ(viewer.refused, 0U);
  for (const std::uint32_t ssrc : viewer.ssrcs()) viewer.ask_by_picture_loss_indication(ssrc);
  world.run_for(100ms);
  EXPECT_EQ(video.picture_loss_indications, 1U);
  EXPECT_EQ(sound.picture_loss_indications, 0U) << "nobody asks audio for a picture";
}

TEST(Media, bundled_on_one_port_may_all_send_their_reports_before_their_first_packets) {
  World world;
  const auto source_key = make_key(1);
  const auto key = make_key(2);
  ASSERT_TRUE(world.engine.add_relay(bundle(source_key, key)));
  Viewer viewer(world, at_screen(0), &key);
  auto options = at_camera();
  options.rtcp = options.rtp;
  options.rtcp_port = kSourceRtp;
  Publisher video(world, options, &source_key);
  options.ssrc = 0x55555555;
  options.payload_type = 111;
  options.rtp = options.rtcp = peer_address(1, 40010);
  Publisher sound(world, options, &source_key);
  video.send_report();
  sound.send_report();
  world.run_for(100ms);
  video.start();
  sound.start();
  world.run_for(3s);
  std::set<std::uint32_t> reported;
  for (const rtp::SenderReport& report : viewer.sender_reports) reported.insert(report.ssrc);
  EXPECT_EQ(reported, viewer.ssrcs()) << "both can be brought in sync";
  EXPECT_EQ(reported.size(), 2U);
}

}  // namespace
}  // namespace runnel::simulation
