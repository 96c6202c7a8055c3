// Sources and receivers of many streams on one UDP port.
#include <gtest/gtest.h>

#include "tests/simulation/stage.h"

namespace runnel::simulation {
namespace {

using relay::RelayError;

/// Two cameras with keys of their own on the shared port, told apart by SSRC.
class SharedSocket : public testing::Test {
 protected:
  SharedSocket() { world_.engine.add_shared_port(kShared); }

  static relay::RelayDescription camera_with(const std::string& stream, const srtp::MasterKey& key,
                                             std::uint32_t ssrc) {
    auto relay = camera(stream, &key);
    relay.from.media[0].ports = {kShared, std::nullopt};
    relay.from.media[0].ssrc = ssrc;
    return relay;
  }
  static PublisherOptions publisher_at(std::uint16_t host, std::uint32_t ssrc) {
    PublisherOptions options;
    options.rtp = options.rtcp = peer_address(host, 40000);
    options.rtp_port = options.rtcp_port = kShared;
    options.ssrc = ssrc;
    return options;
  }
  static ViewerOptions viewer_at(std::uint16_t host) {
    const SocketAddress address = peer_address(host, 50000);
    return {.rtp = address, .rtcp = address, .rtp_port = kShared, .rtcp_port = kShared};
  }
  static relay::ReceiverLeg leg_to(const ViewerOptions& viewer, const srtp::MasterKey& key) {
    auto leg = screen(0, &key);
    leg.media[0].ports = {kShared, std::nullopt};
    leg.media[0].rtp_destination = viewer.rtp;
    leg.media[0].rtcp_destination = viewer.rtcp;
    return leg;
  }
  /// Waits for RTCP of the viewer's SSRC.
  static relay::ReceiverLeg leg_for(const ViewerOptions& viewer, const srtp::MasterKey& key) {
    auto leg = leg_to(viewer, key);
    leg.latch = relay::Latch::first;
    leg.media[0].rtp_destination.reset();
    leg.media[0].rtcp_destination.reset();
    leg.media[0].reply_ssrc = viewer.ssrc;
    return leg;
  }
  relay::SourceMediumStatistics source(std::size_t relay = 0) {
    return world_.engine.statistics(relay).from.at(0);
  }

  World world_;
  srtp::MasterKey key_ = make_key(1);
  srtp::MasterKey other_key_ = make_key(2);
  srtp::MasterKey viewer_key_ = make_key(3);
};

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
