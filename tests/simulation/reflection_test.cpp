// Packets that we sent ourselves come back to us. Where one key serves both directions they are
// authentic, and must still change nothing.
#include <gtest/gtest.h>

#include "tests/simulation/stage.h"

namespace runnel::simulation {
namespace {

const SocketAddress kAttacker = peer_address(666, 6666);

/// A camera and a latched leg, all under one key and one payload type.
class ReflectionStage {
 public:
  explicit ReflectionStage(std::optional<std::uint32_t> pinned = std::nullopt) {
    auto relay = camera("camera", &key);
    relay.to.push_back(screen(0, &key));
    relay.to[0].latch = relay::Latch::first;
    relay::ReceiverMedium& medium = relay.to[0].media[0];
    medium.payload_type = 96;
    medium.ssrc = pinned;
    medium.rtp_destination.reset();
    medium.rtcp_destination.reset();
    EXPECT_TRUE(world.engine.add_relay(std::move(relay)));
    publisher = std::make_unique<Publisher>(world, at_camera(), &key);
    publisher->start();
    world.run_for(100ms);
  }
  /// Somebody watches for two seconds and leaves. Answers all that he was sent.
  std::vector<Bytes> watch(std::uint16_t host) {
    auto options = at_screen(0);
    options.rtp = options.rtcp = peer_address(host, 50000);
    options.ssrc = 0x1000U + host;
    Viewer viewer(world, options, &key);
    std::vector<Bytes> sent;
    world.on_sent = [&](const relay::OutgoingDatagram& datagram) {
      if (datagram.destination != options.rtp) return;
      sent.emplace_back(datagram.bytes.begin(), datagram.bytes.end());
    };
    viewer.say_hello();
    world.run_for(1s);
    publisher->send_report();
    world.run_for(1s);
    viewer.send_goodbye();
    world.run_for(100ms);
    world.on_sent = nullptr;
    EXPECT_GE(viewer.packets.size(), 190U);
    EXPECT_GE(viewer.sender_reports.size(), 1U);
    EXPECT_EQ(destination(), std::nullopt);
    world.detach(options.rtp);
    return sent;
  }
  void reflect(const std::vector<Bytes>& packets, PortIndex port) {
    for (const Bytes& packet : packets) world.send(kAttacker, port, packet);
    world.run_for(100ms);
  }
  [[nodiscard]] std::optional<SocketAddress> destination() const {
    return world.engine.statistics(0).to[0].media[0].destination;
  }
  [[nodiscard]] relay::SourceMediumStatistics source() const {
    return world.engine.statistics(0).from[0];
  }

  World world;
  srtp::MasterKey key = make_key(1);
  std::unique_ptr<Publisher> publisher;
};

TEST(Reflection, of_a_pinned_ssrc_does_not_latch_once_its_receiver_has_left) {
  ReflectionStage stage(0x77777777);
  const auto sent = stage.watch(200);
  stage.reflect(sent, receiver_port(0));
  EXPECT_EQ(stage.destination(), std::nullopt);
}

TEST(Reflection, of_the_ssrc_of_an_earlier_receiver_does_not_latch) {
  ReflectionStage stage;
  std::vector<std::vector<Bytes>> sent;
  for (std::uint16_t i = 0; i < 12; ++i) {
    sent.push_back(stage.watch(static_cast<std::uint16_t>(200 + i)));
  }
  for (const auto& packets : sent) {
    stage.reflect(packets, receiver_port(0));
    ASSERT_EQ(stage.destination(), std::nullopt);
  }
}

TEST(Reflection, of_what_another_leg_sends_under_the_same_key_does_not_latch) {
  World world;
  const auto key = make_key(1);
  auto relay = camera("camera", nullptr);
  for (std::size_t i = 0; i < 2; ++i) {
    relay.to.push_back(screen(i, &key));
    relay.to[i].media[0].ssrc = 0x100 + static_cast<std::uint32_t>(i);
  }
  relay.to[1].latch = relay::Latch::first;
  relay.to[1].media[0].rtp_destination.reset();
  relay.to[1].media[0].rtcp_destination.reset();
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  std::vector<Bytes> sent;
  world.on_sent = [&](const relay::OutgoingDatagram& datagram) {
    if (datagram.port != receiver_port(0)) return;
    sent.emplace_back(datagram.bytes.begin(), datagram.bytes.end());
  };
  Publisher publisher(world, at_camera(), nullptr);
  publisher.start();
  world.run_for(1s);
  ASSERT_GE(sent.size(), 90U);
  world.on_sent = nullptr;
  for (const Bytes& packet : sent) world.send(kAttacker, receiver_port(1), packet);
  world.run_for(100ms);
  EXPECT_EQ(world.engine.statistics(0).to[1].media[0].destination, std::nullopt);
}

TEST(Reflection, of_an_output_does_not_become_the_source) {
  for (const auto pinned :
       {std::optional<std::uint32_t>(0x77777777), std::optional<std::uint32_t>{}}) {
    ReflectionStage stage(pinned);
    std::vector<std::vector<Bytes>> sent;
    for (std::uint16_t i = 0; i < 3; ++i) {
      sent.push_back(stage.watch(static_cast<std::uint16_t>(200 + i)));
    }
    for (const auto& packets : sent) stage.reflect(packets, kSourceRtp);
    EXPECT_EQ(stage.source().ssrc, stage.publisher->options.ssrc);
    EXPECT_EQ(stage.source().source, stage.publisher->options.rtp);
    EXPECT_EQ(stage.source().restarts, 0U);
    EXPECT_GE(stage.source().drops[DropReason::unknown_ssrc], 500U);
  }
}

TEST(Reflection, is_not_suspected_of_a_source_whose_ssrc_an_output_keeps_under_another_key) {
  World world;
  const auto source_key = make_key(1);
  const auto key = make_key(2);
  auto relay = camera("camera", &source_key);
  relay.to.push_back(screen(0, &key));
  relay.to[0].media[0].ssrc = at_camera().ssrc;
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Viewer viewer(world, at_screen(0), &key);
  Publisher publisher(world, at_camera(), &source_key);
  publisher.start();
  world.run_for(1s);
  EXPECT_GE(viewer.packets.size(), 96U);
  EXPECT_EQ(viewer.media_ssrc(), publisher.options.ssrc);
}

}  // namespace
}  // namespace runnel::simulation
