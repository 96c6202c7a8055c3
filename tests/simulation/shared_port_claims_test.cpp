// Who may be on a shared UDP port beside whom, and which receivers can be found on it.
#include <gtest/gtest.h>

#include "tests/simulation/shared_socket.h"

namespace runnel::simulation {
namespace {

using relay::RelayError;

TEST_F(SharedSocket, latches_several_receivers_that_name_the_ssrc_of_their_rtcp) {
  ASSERT_TRUE(world_.engine.add_relay(camera_with("first", key_, 0x11111111)));
  std::vector<srtp::MasterKey> keys;
  std::vector<std::unique_ptr<Viewer>> viewers;
  for (std::uint8_t i = 0; i < 5; ++i) {
    keys.push_back(make_key(static_cast<std::uint8_t>(10 + i)));
    auto options = viewer_at(static_cast<std::uint16_t>(100 + i));
    options.ssrc = 0x50000000U + i;
    ASSERT_TRUE(world_.engine.add_receiver(0, leg_for(options, keys.back())));
    viewers.push_back(std::make_unique<Viewer>(world_, options, &keys.back()));
  }
  auto thief_options = viewer_at(200);
  thief_options.ssrc = viewers[0]->options.ssrc;
  Viewer thief(world_, thief_options, &other_key_);
  thief.say_hello();
  Publisher publisher(world_, publisher_at(1, 0x11111111), &key_);
  publisher.start();
  world_.run_for(100ms);
  EXPECT_EQ(world_.engine.receiver_destination({0, 0, 0}), std::nullopt);
  for (const auto& viewer : viewers) viewer->say_hello();
  world_.run_for(1s);
  for (std::size_t i = 0; i < viewers.size(); ++i) {
    EXPECT_EQ(world_.engine.receiver_destination({0, i, 0}), viewers[i]->options.rtp);
    EXPECT_GE(viewers[i]->packets.size(), 90U);
    expect_flawless(*viewers[i]);
  }
  EXPECT_EQ(world_.count_events<relay::ReceiverLatched>(), 5U);
  Viewer late_thief(world_, thief_options, &keys[0]);
  late_thief.say_hello();
  world_.run_for(1s);
  EXPECT_TRUE(late_thief.packets.empty()) << "where a receiver is, it stays";
  EXPECT_EQ(world_.engine.stray_drops()[DropReason::unknown_path], 1U);
}

TEST_F(SharedSocket, latches_each_medium_of_a_leg_by_its_own_ssrc) {
  auto relay = camera_with("first", key_, 0x11111111);
  auto options = viewer_at(100);
  auto leg = leg_for(options, viewer_key_);
  leg.media.push_back(leg.media[0]);
  leg.media[1].payload_type = 103;
  leg.media[1].reply_ssrc = 0x55555555;
  relay.to.push_back(std::move(leg));
  ASSERT_TRUE(world_.engine.add_relay(std::move(relay)));
  auto other_options = viewer_at(101);
  other_options.ssrc = 0x55555555;
  Viewer first(world_, options, &viewer_key_);
  Viewer second(world_, other_options, &viewer_key_);
  second.say_hello();
  world_.run_for(100ms);
  EXPECT_EQ(world_.engine.receiver_destination({0, 0, 0}), std::nullopt);
  EXPECT_EQ(world_.engine.receiver_destination({0, 0, 1}), other_options.rtp);
  first.say_hello();
  world_.run_for(100ms);
  EXPECT_EQ(world_.engine.receiver_destination({0, 0, 0}), options.rtp);
}

TEST_F(SharedSocket, refuses_an_ssrc_that_another_leg_is_known_by) {
  ASSERT_TRUE(world_.engine.add_relay(camera_with("first", key_, 0x11111111)));
  EXPECT_EQ(world_.engine.add_relay(camera_with("second", other_key_, 0x11111111)).error(),
            RelayError::ssrc_in_use_on_port);
  auto options = viewer_at(100);
  options.ssrc = 0x11111111;
  EXPECT_EQ(world_.engine.add_receiver(0, leg_for(options, viewer_key_)).error(),
            RelayError::ssrc_in_use_on_port);
  auto twice = camera_with("twice", other_key_, 0x22222222);
  twice.from.media.push_back(twice.from.media[0]);
  twice.from.media[1].payload_type = 97;
  EXPECT_EQ(world_.engine.add_relay(std::move(twice)).error(), RelayError::ssrc_in_use_on_port);
  EXPECT_TRUE(world_.engine.replace_source(0, camera_with("", other_key_, 0x11111111).from))
      << "its own it may keep";
  world_.engine.remove_relay(0);
  EXPECT_TRUE(world_.engine.add_relay(camera_with("second", other_key_, 0x11111111)));
}

TEST_F(SharedSocket, refuses_a_source_that_another_one_could_be_taken_for) {
  auto at = [&](const std::string& stream, const SocketAddress& remote) {
    auto relay = camera(stream, &key_);
    relay.from.media[0].ports = {kShared, std::nullopt};
    relay.from.media[0].remote = remote;
    return relay;
  };
  ASSERT_TRUE(world_.engine.add_relay(at("first", peer_address(1, 40000))));
  EXPECT_EQ(world_.engine.add_relay(at("second", peer_address(1, 40000))).error(),
            RelayError::path_in_use);
  auto bundle = at("bundle", peer_address(2, 40000));
  bundle.from.media.push_back(bundle.from.media[0]);
  EXPECT_EQ(world_.engine.add_relay(std::move(bundle)).error(), RelayError::duplicate_payload_type);
}

TEST_F(SharedSocket, gives_an_ssrc_to_a_publisher_that_nobody_else_gets) {
  const std::uint32_t ssrc = world_.engine.draw_ssrc();
  EXPECT_NE(world_.engine.draw_ssrc(), ssrc);
  auto relay = camera_with("first", key_, ssrc);
  relay.to.push_back(leg_to(viewer_at(100), viewer_key_));
  ASSERT_TRUE(world_.engine.add_relay(std::move(relay)));
  EXPECT_NE(world_.engine.receiver_ssrc({0, 0, 0}), ssrc);
  Publisher publisher(world_, publisher_at(1, ssrc), &key_);
  Viewer viewer(world_, viewer_at(100), &viewer_key_);
  publisher.start();
  world_.run_for(1s);
  EXPECT_GE(viewer.packets.size(), 90U) << "it is not taken for one of our own";
}

}  // namespace
}  // namespace runnel::simulation
