// Sources of many streams on one UDP port.
#include <gtest/gtest.h>

#include "tests/simulation/shared_socket.h"

namespace runnel::simulation {
namespace {

TEST_F(SharedSocket, takes_two_sources_and_tells_them_apart) {
  auto first = camera_with("first", key_, 0x11111111);
  first.to.push_back(leg_to(viewer_at(100), viewer_key_));
  ASSERT_TRUE(world_.engine.add_relay(std::move(first)));
  ASSERT_TRUE(world_.engine.add_relay(camera_with("second", other_key_, 0x22222222)));
  Viewer viewer(world_, viewer_at(100), &viewer_key_);
  Publisher one(world_, publisher_at(1, 0x11111111), &key_);
  Publisher two(world_, publisher_at(2, 0x22222222), &other_key_);
  one.start();
  two.start();
  world_.run_for(1s);
  one.send_report();
  world_.run_for(1s);
  EXPECT_GE(source(0).packets, 190U);
  EXPECT_GE(source(1).packets, 190U);
  EXPECT_EQ(source(0).source, one.options.rtp);
  EXPECT_EQ(source(1).source, two.options.rtp);
  EXPECT_GE(viewer.packets.size(), 190U);
  EXPECT_GE(viewer.sender_reports.size(), 1U);
  EXPECT_GE(one.reports.size(), 1U) << "our RTCP goes to where its RTP comes from";
  EXPECT_GE(two.reports.size(), 1U);
  EXPECT_EQ(one.faults + two.faults, 0U);
  expect_flawless(viewer);
  one.send_goodbye();
  world_.run_for(100ms);
  EXPECT_EQ(world_.count_events<relay::TrackEnded>(), 1U);
  EXPECT_EQ(world_.engine.stray_drops().total(), 0U);
}

TEST_F(SharedSocket, follows_a_source_whose_address_changes) {
  ASSERT_TRUE(world_.engine.add_relay(camera_with("first", key_, 0x11111111)));
  Publisher publisher(world_, publisher_at(1, 0x11111111), &key_);
  publisher.start();
  world_.run_for(1s);
  publisher.move_to(peer_address(5, 1234), peer_address(5, 1234));
  const std::size_t before = publisher.reports.size();
  world_.run_for(3s);
  EXPECT_EQ(source().source, peer_address(5, 1234));
  EXPECT_GE(publisher.reports.size(), before + 2);
}

TEST_F(SharedSocket, is_not_moved_by_a_forged_ssrc) {
  ASSERT_TRUE(world_.engine.add_relay(camera_with("first", key_, 0x11111111)));
  Publisher publisher(world_, publisher_at(1, 0x11111111), &key_);
  publisher.start();
  world_.run_for(1s);
  const auto before = source();
  auto forged = publisher_at(666, 0x11111111);
  forged.first_sequence_number = 2000;  // where it could be the next
  Publisher attacker(world_, forged, &other_key_);
  Publisher stranger(world_, publisher_at(667, 0x33333333), &other_key_);
  for (int i = 0; i < 100; ++i) {
    attacker.send(attacker.make_packet(true));
    stranger.send(stranger.make_packet(true));
  }
  attacker.send_report();
  attacker.send_goodbye();
  stranger.send_goodbye();
  world_.run_for(1s);
  EXPECT_EQ(source().source, publisher.options.rtp);
  EXPECT_EQ(source().restarts, before.restarts);
  EXPECT_TRUE(source().live);
  EXPECT_EQ(source().drops[DropReason::authentication_failed], 102U);
  EXPECT_EQ(world_.engine.stray_drops()[DropReason::unknown_path], 101U);
  EXPECT_EQ(world_.count_events<relay::TrackEnded>(), 0U);
  EXPECT_EQ(attacker.reports.size(), 0U);
  EXPECT_EQ(world_.count_events<relay::AuthenticationFailing>(), 1U);
}

TEST_F(SharedSocket, asks_the_allow_list_of_the_leg_that_an_ssrc_belongs_to) {
  auto relay = camera_with("first", key_, 0x11111111);
  relay.from.allow.push_back(*IpNetwork::parse("198.51.0.1"));
  ASSERT_TRUE(world_.engine.add_relay(std::move(relay)));
  Publisher publisher(world_, publisher_at(1, 0x11111111), &key_);
  Publisher elsewhere(world_, publisher_at(2, 0x11111111), &key_);
  publisher.send_frame();
  elsewhere.send_frame();
  elsewhere.send_report();
  world_.run_for(100ms);
  EXPECT_EQ(source().packets, 4U);
  EXPECT_EQ(source().drops[DropReason::source_not_allowed], 5U);
}

TEST_F(SharedSocket, knows_senders_that_cannot_choose_their_ssrc_by_their_address) {
  auto first = camera("first", &key_);
  first.from.media[0].ports = {kShared, std::nullopt};
  first.from.media[0].remote = peer_address(1, 40000);
  auto second = camera("second", nullptr);
  second.from.media[0].ports = {kShared, std::nullopt};
  second.from.media[0].remote = peer_address(2, 40000);
  second.from.media[0].rtcp_remote = peer_address(2, 40001);
  second.to.push_back(leg_to(viewer_at(100), viewer_key_));
  ASSERT_TRUE(world_.engine.add_relay(std::move(first)));
  ASSERT_TRUE(world_.engine.add_relay(std::move(second)));
  Publisher one(world_, publisher_at(1, 0x11111111), &key_);
  auto clear = publisher_at(2, 0x11111111);  // the same by chance
  clear.rtcp = peer_address(2, 40001);
  Publisher two(world_, clear, nullptr);
  Viewer viewer(world_, viewer_at(100), &viewer_key_);
  Publisher elsewhere(world_, publisher_at(3, 0x11111111), nullptr);
  one.start();
  two.start();
  elsewhere.start();
  world_.run_for(1s);
  one.send_report();
  two.send_report();
  world_.run_for(1s);
  EXPECT_GE(source(0).packets, 190U);
  EXPECT_GE(source(1).packets, 190U);
  EXPECT_GE(viewer.sender_reports.size(), 1U);
  EXPECT_GE(world_.engine.stray_drops()[DropReason::unknown_path], 190U);
  expect_flawless(viewer);
  two.send_goodbye();
  world_.run_for(100ms);
  EXPECT_EQ(world_.count_events<relay::TrackEnded>(), 1U);
}

TEST_F(SharedSocket, serves_a_program_that_publishes_and_watches_through_one_socket) {
  auto viewer_options = viewer_at(1);
  viewer_options.rtp = viewer_options.rtcp = peer_address(1, 40000);
  viewer_options.ssrc = 0x44444444;
  auto other = camera_with("other", other_key_, 0x22222222);
  other.to.push_back(leg_to(viewer_options, viewer_key_));
  ASSERT_TRUE(world_.engine.add_relay(std::move(other)));
  ASSERT_TRUE(world_.engine.add_relay(camera_with("mine", key_, 0x11111111)));
  Publisher mine(world_, publisher_at(1, 0x11111111), &key_);
  Viewer viewer(world_, viewer_options, &viewer_key_);  // takes the socket's inbox
  Publisher source_of_other(world_, publisher_at(2, 0x22222222), &other_key_);
  mine.start();
  source_of_other.start();
  world_.run_for(1s);
  mine.send_report();
  viewer.ask_by_picture_loss_indication();
  world_.run_for(1s);
  EXPECT_GE(source(1).packets, 190U);
  EXPECT_EQ(source(1).drops.total() - source(1).drops[DropReason::no_receiver], 0U);
  EXPECT_GE(viewer.packets.size(), 190U);
  EXPECT_EQ(source_of_other.picture_loss_indications, 1U);
  EXPECT_EQ(world_.engine.statistics(0).to[0].media[0].key_frame_requests, 1U);
}

}  // namespace
}  // namespace runnel::simulation
