// Receivers without a configured address, and receivers that share a port.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/simulation/stage.h"

namespace runnel::simulation {
namespace {

/// A camera and one receiver that is latched on `port`.
class LatchingStage {
 public:
  explicit LatchingStage(bool sealed = true, PortIndex port = receiver_port(0)) {
    if (port == kShared) world.engine.add_shared_port(kShared);
    auto relay = camera("camera", &source_key);
    relay.to.push_back(screen(0, sealed ? &key : nullptr));
    relay::ReceiverMedium& medium = relay.to[0].media[0];
    relay.to[0].latch = relay::Latch::first;
    medium.ports = {port, std::nullopt};
    medium.rtp_destination.reset();
    medium.rtcp_destination.reset();
    EXPECT_TRUE(world.engine.add_relay(std::move(relay)));
    publisher = std::make_unique<Publisher>(world, at_camera(), &source_key);
    publisher->start();
    world.run_for(1s);
  }
  [[nodiscard]] ViewerOptions options(std::uint16_t host, PortIndex port = receiver_port(0)) const {
    const SocketAddress address = peer_address(host, 50000);
    return {.rtp = address, .rtcp = address, .rtp_port = port, .rtcp_port = port};
  }
  [[nodiscard]] relay::ReceiverMediumStatistics receiver() const {
    return world.engine.statistics(0).to[0].media[0];
  }

  World world;
  srtp::MasterKey source_key = make_key(1);
  srtp::MasterKey key = make_key(2);
  std::unique_ptr<Publisher> publisher;
};

TEST(Latching, the_first_authenticated_packet_shows_where_the_receiver_is) {
  LatchingStage stage;
  Viewer viewer(stage.world, stage.options(200), &stage.key);
  EXPECT_GE(stage.receiver().drops[DropReason::no_destination], 96U);
  viewer.say_hello();
  stage.world.run_for(1s);
  EXPECT_GE(viewer.packets.size(), 96U);
  EXPECT_LT(viewer.packets.front().sequence_number, 1U << 15);
  EXPECT_EQ(stage.publisher->picture_loss_indications, 1U) << "a newcomer needs a key frame";
  EXPECT_EQ(stage.world.count_events<relay::ReceiverLatched>(), 1U);
  EXPECT_EQ(stage.receiver().destination, viewer.options.rtp);
  expect_flawless(viewer);
}

TEST(Latching, cannot_be_stolen_by_a_second_address) {
  LatchingStage stage;
  Viewer viewer(stage.world, stage.options(200), &stage.key);
  viewer.say_hello();
  stage.world.run_for(500ms);
  Viewer second(stage.world, stage.options(201), &stage.key);
  second.say_hello();
  stage.world.run_for(500ms);
  EXPECT_EQ(second.packets.size(), 0U);
  EXPECT_GE(viewer.packets.size(), 96U);
  EXPECT_EQ(stage.receiver().destination, viewer.options.rtp);
}

TEST(Latching, is_not_for_whoever_lacks_the_key) {
  LatchingStage stage;
  const auto wrong = make_key(9);
  Viewer stranger(stage.world, stage.options(201), &wrong);
  stranger.say_hello();
  stage.world.run_for(500ms);
  EXPECT_EQ(stage.receiver().destination, std::nullopt);
  EXPECT_EQ(stage.receiver().drops[DropReason::authentication_failed], 1U);
}

TEST(Latching, is_not_won_by_replaying_the_hello_of_one_who_has_left) {
  LatchingStage stage;
  Viewer viewer(stage.world, stage.options(200), &stage.key);
  // What the attacker records on the wire.
  srtp::Sender sender(stage.key);
  Bytes hello(64, 0);
  rtp::RtcpWriter writer(hello);
  writer.receiver_report(0x5555, {});
  const auto size = sender.protect_in_place(srtp::PacketKind::rtcp, hello, writer.written().size());
  ASSERT_TRUE(size);
  hello.resize(*size);
  stage.world.send(viewer.options.rtcp, receiver_port(0), hello);
  stage.world.run_for(200ms);
  ASSERT_EQ(stage.receiver().destination, viewer.options.rtp);
  viewer.send_goodbye();
  stage.world.run_for(200ms);
  ASSERT_EQ(stage.receiver().destination, std::nullopt);
  stage.world.send(peer_address(201, 50000), receiver_port(0), hello);
  stage.world.run_for(200ms);
  EXPECT_EQ(stage.receiver().destination, std::nullopt);
  EXPECT_EQ(stage.receiver().drops[DropReason::replayed], 1U);
}

TEST(Latching, after_a_goodbye_the_next_one_gets_a_stream_of_its_own) {
  LatchingStage stage;
  Viewer viewer(stage.world, stage.options(200), &stage.key);
  viewer.say_hello();
  stage.world.run_for(1s);
  viewer.send_goodbye();
  stage.world.run_for(1s);
  EXPECT_EQ(stage.world.count_events<relay::ReceiverLeft>(), 1U);
  const std::size_t before = viewer.packets.size();
  auto options = stage.options(201);
  options.ssrc = 0x1234;
  Viewer next(stage.world, options, &stage.key);
  next.say_hello();
  stage.world.run_for(1s);
  EXPECT_EQ(viewer.packets.size(), before);
  EXPECT_GE(next.packets.size(), 90U);
  EXPECT_NE(next.media_ssrc(), viewer.media_ssrc());
  EXPECT_LT(next.packets.front().sequence_number, 1U << 15);
  expect_flawless(next);
}

TEST(Latching, in_the_clear_takes_rtp_or_rtcp) {
  for (const bool by_rtp : {false, true}) {
    LatchingStage stage(false);
    Viewer viewer(stage.world, stage.options(200), nullptr);
    if (by_rtp) {
      stage.world.send(viewer.options.rtp, receiver_port(0),
                       Bytes{0x80, 96, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1});
    } else {
      viewer.say_hello();
    }
    stage.world.run_for(1s);
    EXPECT_GE(viewer.packets.size(), 90U);
  }
}

TEST(Latching, works_on_the_shared_port) {
  LatchingStage stage(true, kShared);
  Viewer viewer(stage.world, stage.options(200, kShared), &stage.key);
  viewer.say_hello();
  stage.world.run_for(1s);
  EXPECT_GE(viewer.packets.size(), 90U);
  Viewer second(stage.world, stage.options(201, kShared), &stage.key);
  second.say_hello();
  stage.world.run_for(100ms);
  EXPECT_EQ(stage.world.engine.stray_drops()[DropReason::unknown_path], 1U);
}

TEST(Latching, with_separate_rtcp_follows_the_convention_of_the_port_above) {
  for (const bool by_rtcp : {false, true}) {
    World world;
    const auto source_key = make_key(1);
    auto relay = camera("camera", &source_key);
    relay.to.push_back(screen(0, nullptr));
    relay.to[0].latch = relay::Latch::first;
    relay::ReceiverMedium& medium = relay.to[0].media[0];
    medium.ports = {receiver_port(0), receiver_port(1)};
    medium.rtp_destination.reset();
    medium.rtcp_destination.reset();
    ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
    Viewer viewer(world,
                  {.rtp = peer_address(200, 50000),
                   .rtcp = peer_address(200, 50001),
                   .rtp_port = receiver_port(0),
                   .rtcp_port = receiver_port(1)},
                  nullptr);
    Publisher publisher(world, at_camera(), &source_key);
    publisher.start();
    world.run_for(100ms);
    if (by_rtcp) {
      viewer.say_hello();
    } else {
      world.send(viewer.options.rtp, receiver_port(0),
                 Bytes{0x80, 96, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1});
    }
    std::vector<std::pair<PortIndex, SocketAddress>> sent;
    world.on_sent = [&](const relay::OutgoingDatagram& datagram) {
      sent.emplace_back(datagram.port, datagram.destination);
    };
    world.run_for(100ms);
    publisher.send_report();
    world.run_for(100ms);
    EXPECT_GE(viewer.packets.size(), 12U);
    EXPECT_EQ(viewer.sender_reports.size(), 1U);
    EXPECT_TRUE(std::ranges::find(sent, std::pair(receiver_port(0), viewer.options.rtp)) !=
                sent.end());
    EXPECT_TRUE(std::ranges::find(sent, std::pair(receiver_port(1), viewer.options.rtcp)) !=
                sent.end());
  }
}

TEST(SharedPort, tells_receivers_apart_by_their_path) {
  World world;
  world.engine.add_shared_port(kShared);
  const auto source_key = make_key(1);
  auto relay = camera("camera", &source_key);
  std::vector<srtp::MasterKey> keys;
  for (std::size_t i = 0; i < 20; ++i) {
    keys.push_back(make_key(static_cast<std::uint8_t>(2 + i)));
    relay.to.push_back(screen(i, &keys[i]));
    relay.to[i].media[0].ports = {kShared, std::nullopt};
  }
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  std::vector<std::unique_ptr<Viewer>> viewers;
  for (std::size_t i = 0; i < 20; ++i) {
    auto options = at_screen(i);
    options.rtp_port = options.rtcp_port = kShared;
    viewers.push_back(std::make_unique<Viewer>(world, options, &keys[i]));
  }
  Publisher publisher(world, at_camera(), &source_key);
  publisher.start();
  world.run_for(1s);
  for (const auto& viewer : viewers) viewer->send_report(128);
  world.run_for(100ms);
  for (std::size_t i = 0; i < 20; ++i) {
    EXPECT_GE(viewers[i]->packets.size(), 96U);
    EXPECT_EQ(world.engine.statistics(0).to[i].media[0].fraction_lost, 0.5);
  }
  EXPECT_EQ(world.engine.stray_drops().total(), 0U);
}

TEST(SharedPort, may_stand_beside_an_rtcp_port_of_its_own) {
  World world;
  world.engine.add_shared_port(kShared);
  const auto source_key = make_key(1);
  const auto key = make_key(2);
  auto relay = camera("camera", &source_key);
  relay.to.push_back(screen(0, &key));
  relay.to[0].media[0].ports = {kShared, receiver_port(0)};
  relay.to[0].media[0].rtcp_destination.reset();
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  auto options = at_screen(0);
  options.rtcp = peer_address(100, 50001);
  options.rtp_port = kShared;
  Viewer viewer(world, options, &key);
  Publisher publisher(world, at_camera(), &source_key);
  publisher.start();
  publisher.send_report();
  world.run_for(1s);
  viewer.ask_by_picture_loss_indication();
  world.run_for(100ms);
  EXPECT_EQ(publisher.picture_loss_indications, 1U);
  EXPECT_EQ(viewer.sender_reports.size(), 1U);
}

TEST(SharedPort, separate_rtcp_addresses_are_known_too) {
  World world;
  world.engine.add_shared_port(kShared);
  const auto source_key = make_key(1);
  const auto key = make_key(2);
  auto relay = camera("camera", &source_key);
  relay.to.push_back(screen(0, &key));
  relay.to[0].media[0].ports = {kShared, std::nullopt};
  relay.to[0].media[0].rtcp_destination = peer_address(100, 50001);
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  auto options = at_screen(0);
  options.rtcp = peer_address(100, 50001);
  options.rtp_port = options.rtcp_port = kShared;
  Viewer viewer(world, options, &key);
  Publisher publisher(world, at_camera(), &source_key);
  publisher.start();
  world.run_for(1s);
  viewer.ask_by_picture_loss_indication();
  world.run_for(100ms);
  EXPECT_EQ(publisher.picture_loss_indications, 1U);
}

TEST(SharedPort, a_path_that_belongs_to_another_leg_is_not_given_away) {
  World world;
  world.engine.add_shared_port(kShared);
  const auto key = make_key(1);
  auto relay = camera("camera", &key);
  for (std::size_t i = 0; i < 2; ++i) {
    relay.to.push_back(screen(i, &key));
    relay.to[i].media[0].ports = {kShared, std::nullopt};
  }
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  const SocketAddress first = at_screen(0).rtp;
  const SocketAddress second = at_screen(1).rtp;
  const SocketAddress third = at_screen(2).rtp;
  EXPECT_FALSE(world.engine.set_destination({0, 1, 0}, first, first));
  EXPECT_EQ(world.engine.statistics(0).to[1].media[0].destination, second);
  EXPECT_TRUE(world.engine.set_destination({0, 1, 0}, third, third));
  EXPECT_TRUE(world.engine.set_destination({0, 0, 0}, second, second)) << "free now";
}

}  // namespace
}  // namespace runnel::simulation
