// Receivers of every kind, and that one does not disturb another.
#include <gtest/gtest.h>

#include "tests/simulation/stage.h"

namespace runnel::simulation {
namespace {

class EveryProfile : public testing::TestWithParam<srtp::Profile> {};

TEST_P(EveryProfile, is_relayed_into_every_other) {
  World world;
  const auto source_key = make_key(1, GetParam());
  auto relay = camera("camera", &source_key);
  std::vector<srtp::MasterKey> keys;
  for (const srtp::Profile profile : srtp::kProfiles) {
    keys.push_back(make_key(static_cast<std::uint8_t>(2 + keys.size()), profile));
    relay.to.push_back(screen(keys.size() - 1, &keys.back()));
  }
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  std::vector<std::unique_ptr<Viewer>> viewers;
  for (std::size_t i = 0; i < keys.size(); ++i) {
    viewers.push_back(std::make_unique<Viewer>(world, at_screen(i), &keys[i]));
  }
  Publisher publisher(world, at_camera(), &source_key);
  publisher.start();
  publisher.send_report();
  world.run_for(2s);
  publisher.stop();
  world.run_for(100ms);
  EXPECT_EQ(publisher.faults, 0U);
  for (const auto& viewer : viewers) {
    EXPECT_EQ(viewer->packets.size(), publisher.packets);
    EXPECT_GE(viewer->sender_reports.size(), 1U);
    expect_flawless(*viewer);
  }
}

INSTANTIATE_TEST_SUITE_P(Profiles, EveryProfile, testing::ValuesIn(srtp::kProfiles),
                         [](const testing::TestParamInfo<srtp::Profile>& profile) {
                           return std::string(to_string(profile.param));
                         });

TEST(Receiver, plain_rtp_becomes_srtp_and_srtp_becomes_plain_rtp) {
  World world;
  const auto key = make_key(2);
  auto relay = camera("from-clear", nullptr);
  relay.to.push_back(screen(0, &key));
  relay.to.push_back(screen(1, nullptr));
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Viewer sealed(world, at_screen(0), &key);
  Viewer clear(world, at_screen(1), nullptr);
  Publisher publisher(world, at_camera(), nullptr);
  publisher.start();
  world.run_for(2s);
  EXPECT_GE(sealed.packets.size(), 200U);
  EXPECT_EQ(sealed.packets.size(), clear.packets.size());
  expect_flawless(sealed);
  expect_flawless(clear);
  EXPECT_GE(publisher.reports.size(), 1U);
}

TEST(Receiver, srtp_and_plain_rtp_stand_side_by_side) {
  World world;
  const auto source_key = make_key(1);
  const auto key = make_key(2);
  auto relay = camera("camera", &source_key);
  relay.to.push_back(screen(0, nullptr));
  relay.to.push_back(screen(1, &key));
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Viewer clear(world, at_screen(0), nullptr);
  Viewer sealed(world, at_screen(1), &key);
  Publisher publisher(world, at_camera(), &source_key);
  publisher.start();
  world.run_for(2s);
  EXPECT_EQ(clear.numbers(), sealed.numbers());
  EXPECT_NE(clear.media_ssrc(), sealed.media_ssrc());
  expect_flawless(clear);
  expect_flawless(sealed);
}

TEST(Receiver, with_a_wrong_key_does_not_harm_the_others) {
  Stage stage(2);
  const auto wrong = make_key(99);
  Viewer confused(stage.world, at_screen(0), &wrong);  // in place of the first
  stage.publisher->start();
  for (int i = 0; i < 10; ++i) {
    stage.world.run_for(100ms);
    confused.say_hello();
  }
  EXPECT_EQ(confused.packets.size(), 0U);
  EXPECT_GT(confused.refused, 90U);
  EXPECT_GE(stage.viewer(1).packets.size(), 100U);
  expect_flawless(stage.viewer(1));
  EXPECT_EQ(stage.receiver(0).drops[DropReason::authentication_failed], 9U);
  EXPECT_EQ(stage.receiver(1).drops.total(), 0U);
}

TEST(Receiver, a_thousand_of_them_get_every_packet) {
  Stage stage(1000);
  stage.publisher->start();
  stage.world.run_for(1s);
  stage.publisher->send_report();
  stage.publisher->stop();
  stage.world.run_for(100ms);
  for (std::size_t i = 0; i < 1000; ++i) {
    ASSERT_EQ(stage.viewer(i).packets.size(), stage.publisher->packets);
    ASSERT_EQ(stage.viewer(i).sender_reports.size(), 1U);
    ASSERT_NO_FATAL_FAILURE(expect_flawless(stage.viewer(i)));
  }
}

TEST(Receiver, that_is_unreachable_is_told_once_and_the_others_go_on) {
  Stage stage(3);
  stage.world.reports_unreachable = true;
  stage.world.detach(at_screen(1).rtp);
  stage.publisher->start();
  stage.world.run_for(10s);
  const auto told = stage.world.events_of<relay::ReceiverUnreachable>();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].receiver, (relay::ReceiverMediumId{0, 1, 0}));
  EXPECT_GT(stage.receiver(1).drops[DropReason::unreachable], 900U);
  expect_flawless(stage.viewer(0));
  EXPECT_GE(stage.viewer(2).packets.size(), 1000U);
}

TEST(Receiver, that_was_unreachable_is_told_again_once_it_has_been_heard) {
  Stage stage;
  stage.world.reports_unreachable = true;
  Viewer& viewer = stage.viewer();
  stage.publisher->start();
  stage.world.run_for(1s);
  stage.world.detach(viewer.options.rtp);
  stage.world.run_for(1s);
  viewer.send_report();
  stage.world.run_for(1s);
  EXPECT_EQ(stage.world.count_events<relay::ReceiverUnreachable>(), 2U);
}

TEST(Receiver, whose_socket_is_full_is_counted_by_the_owner_of_the_datagram) {
  Stage stage(2);
  std::vector<std::uint32_t> owners;
  stage.world.on_sent = [&](const relay::OutgoingDatagram& datagram) {
    if (datagram.destination == at_screen(1).rtp) owners.push_back(datagram.owner);
  };
  stage.publisher->send_frame();
  stage.world.run_for(100ms);
  ASSERT_EQ(owners.size(), 4U);
  for (const std::uint32_t owner : owners) {
    stage.world.engine.handle_send_failure(owner, DropReason::send_buffer_full);
  }
  EXPECT_EQ(stage.receiver(0).drops.total(), 0U);
  EXPECT_EQ(stage.receiver(1).drops[DropReason::send_buffer_full], 4U);
}

TEST(Receiver, packets_to_one_destination_stand_together) {
  Stage stage(10);
  std::vector<SocketAddress> order;
  stage.world.on_sent = [&](const relay::OutgoingDatagram& datagram) {
    order.push_back(datagram.destination);
  };
  auto& publisher = *stage.publisher;
  publisher.options.packets_per_frame = 20;
  publisher.send_frame();
  stage.world.run_for(100ms);
  ASSERT_EQ(order.size(), 200U);
  std::size_t changes = 0;
  for (std::size_t i = 1; i < order.size(); ++i) changes += order[i] != order[i - 1] ? 1 : 0;
  EXPECT_EQ(changes, 9U);
}

TEST(Receiver, whose_name_is_resolved_later_gets_a_key_frame_and_begins_low) {
  World world;
  const auto source_key = make_key(1);
  const auto key = make_key(2);
  auto relay = camera("camera", &source_key);
  relay.to.push_back(screen(0, &key));
  relay.to[0].media[0].rtp_destination.reset();
  relay.to[0].media[0].rtcp_destination.reset();
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Viewer viewer(world, at_screen(0), &key);
  Publisher publisher(world, at_camera(), &source_key);
  publisher.start();
  world.run_for(1s);
  EXPECT_EQ(viewer.packets.size(), 0U);
  EXPECT_GE(world.engine.statistics(0).to[0].media[0].drops[DropReason::no_destination], 96U);
  EXPECT_TRUE(world.engine.set_destination({0, 0, 0}, at_screen(0).rtp, at_screen(0).rtp));
  world.run_for(1s);
  EXPECT_EQ(publisher.picture_loss_indications, 1U);
  ASSERT_GE(viewer.packets.size(), 96U);
  EXPECT_LT(viewer.packets.front().sequence_number, 1U << 15);
  expect_flawless(viewer);
}

TEST(Receiver, that_moves_goes_on_under_its_ssrc) {
  Stage stage;
  stage.publisher->start();
  stage.world.run_for(1s);
  const std::uint32_t ssrc = stage.viewer().media_ssrc();
  auto elsewhere = at_screen(0);
  elsewhere.rtp = elsewhere.rtcp = peer_address(300, 6000);
  Viewer moved(stage.world, elsewhere, &stage.viewer_keys[0]);
  EXPECT_TRUE(stage.world.engine.set_destination({0, 0, 0}, elsewhere.rtp, elsewhere.rtp));
  stage.world.run_for(1s);
  EXPECT_EQ(moved.ssrcs(), std::set<std::uint32_t>{ssrc});
  expect_flawless(moved);
}

TEST(Receiver, ipv6_is_like_ipv4) {
  World world;
  const auto source_key = make_key(1);
  const auto key = make_key(2);
  const auto host = [](const char* text) { return *SocketAddress::parse(text); };
  auto relay = camera("camera", &source_key);
  relay.from.allow.push_back(*IpNetwork::parse("2001:db8:1::/48"));
  relay.to.push_back(screen(0, &key));
  relay.to[0].media[0].rtp_destination = host("[2001:db8:2::5]:6000");
  relay.to[0].media[0].rtcp_destination = host("[2001:db8:2::5]:6000");
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  auto viewer_options = at_screen(0);
  viewer_options.rtp = viewer_options.rtcp = host("[2001:db8:2::5]:6000");
  Viewer viewer(world, viewer_options, &key);
  auto options = at_camera();
  options.rtp = host("[2001:db8:1::7]:4000");
  options.rtcp = host("[2001:db8:1::7]:4001");
  Publisher publisher(world, options, &source_key);
  publisher.start();
  world.run_for(1s);
  viewer.ask_by_picture_loss_indication();
  world.run_for(1s);
  EXPECT_GE(viewer.packets.size(), 200U);
  EXPECT_EQ(publisher.picture_loss_indications, 1U);
  expect_flawless(viewer);
}

}  // namespace
}  // namespace runnel::simulation
