// How latched receivers leave: by BYE, by falling silent, or because the network refuses them.
#include <gtest/gtest.h>

#include "tests/simulation/stage.h"

namespace runnel::simulation {
namespace {

constexpr std::uint8_t kFirstPayloadType = 102;

/// RTCP of a program that has a session of its own for each medium.
class Sessions {
 public:
  Sessions(World& world, const SocketAddress& address, const srtp::MasterKey& key)
      : world_(world), address_(address), sender_(key) {}

  /// With a block about `media_ssrc`, unless that is 0.
  [[nodiscard]] Bytes report(std::uint32_t session, std::uint32_t media_ssrc = 0) {
    return compound(session, media_ssrc, false);
  }
  [[nodiscard]] Bytes goodbye(std::uint32_t session, std::uint32_t media_ssrc = 0) {
    return compound(session, media_ssrc, true);
  }
  void send(Bytes packet) { world_.send(address_, receiver_port(0), std::move(packet)); }

 private:
  Bytes compound(std::uint32_t session, std::uint32_t media_ssrc, bool leaves) {
    const rtp::ReportBlock block{.ssrc = media_ssrc};
    Bytes buffer(kPacketCapacity);
    rtp::RtcpWriter writer(buffer);
    writer.receiver_report(session, {&block, media_ssrc == 0 ? std::size_t{0} : 1});
    if (leaves) writer.goodbye(session);
    const auto size =
        sender_.protect_in_place(srtp::PacketKind::rtcp, buffer, writer.written().size());
    EXPECT_TRUE(size);
    buffer.resize(size.value_or(0));
    return buffer;
  }

  World& world_;
  SocketAddress address_;
  srtp::Sender sender_;
};

/// A camera, and one latched receiver leg with one or more media on one port.
class DepartureStage {
 public:
  explicit DepartureStage(std::size_t media = 1) {
    auto relay = camera("camera", &source_key);
    relay::ReceiverLeg& leg = relay.to.emplace_back(screen(0, &key));
    leg.latch = relay::Latch::first;
    leg.media[0].rtp_destination.reset();
    leg.media[0].rtcp_destination.reset();
    leg.media.resize(media, leg.media[0]);
    for (std::size_t i = 0; i < media; ++i) {
      leg.media[i].payload_type = static_cast<std::uint8_t>(kFirstPayloadType + i);
    }
    EXPECT_TRUE(world.engine.add_relay(std::move(relay)));
    viewer = std::make_unique<Viewer>(world, at(200), &key);
    sessions = std::make_unique<Sessions>(world, viewer->options.rtp, key);
    publisher = std::make_unique<Publisher>(world, at_camera(), &source_key);
    publisher->start();
  }
  [[nodiscard]] static ViewerOptions at(std::uint16_t host, std::uint32_t ssrc = 0x22222222) {
    const SocketAddress address = peer_address(host, 50000);
    return {.rtp = address,
            .rtcp = address,
            .rtp_port = receiver_port(0),
            .rtcp_port = receiver_port(0),
            .ssrc = ssrc};
  }
  [[nodiscard]] std::optional<SocketAddress> destination(std::size_t medium = 0) const {
    return world.engine.statistics(0).to[0].media[medium].destination;
  }
  [[nodiscard]] std::size_t departures() const { return world.count_events<relay::ReceiverLeft>(); }
  /// The SSRC under which the viewer gets a medium.
  [[nodiscard]] std::uint32_t media_ssrc(std::size_t medium) const {
    for (const ReceivedPacket& packet : viewer->packets) {
      if (packet.payload_type == kFirstPayloadType + medium) return packet.ssrc;
    }
    ADD_FAILURE() << "nothing came of medium " << medium;
    return 0;
  }

  World world;
  srtp::MasterKey source_key = make_key(1);
  srtp::MasterKey key = make_key(2);
  std::unique_ptr<Viewer> viewer;
  std::unique_ptr<Sessions> sessions;
  std::unique_ptr<Publisher> publisher;
};

/// The viewer is latched with two media, and has reported on each in a session of its own.
void watch_two_media(DepartureStage& stage) {
  stage.sessions->send(stage.sessions->report(0xa));
  stage.world.run_for(1s);
  stage.sessions->send(stage.sessions->report(0xa, stage.media_ssrc(0)));
  stage.sessions->send(stage.sessions->report(0xb, stage.media_ssrc(1)));
  stage.world.run_for(100ms);
  ASSERT_EQ(stage.destination(0), stage.viewer->options.rtp);
  ASSERT_EQ(stage.destination(1), stage.viewer->options.rtp);
}

TEST(Departure, a_receiver_that_leaves_one_medium_after_the_other_is_left_alone) {
  DepartureStage stage(2);
  ASSERT_NO_FATAL_FAILURE(watch_two_media(stage));
  stage.sessions->send(stage.sessions->goodbye(0xa, stage.media_ssrc(0)));
  stage.world.run_for(100ms);
  stage.sessions->send(stage.sessions->report(0xb, stage.media_ssrc(1)));
  stage.sessions->send(stage.sessions->goodbye(0xb, stage.media_ssrc(1)));
  stage.world.run_for(100ms);
  const std::size_t before = stage.viewer->packets.size();
  stage.world.run_for(5s);
  EXPECT_EQ(stage.destination(0), std::nullopt);
  EXPECT_EQ(stage.destination(1), std::nullopt);
  EXPECT_EQ(stage.viewer->packets.size(), before);
  EXPECT_EQ(stage.departures(), 2U);
}

TEST(Departure, who_leaves_one_medium_and_watches_the_other_does_not_get_the_first_again) {
  DepartureStage stage(2);
  ASSERT_NO_FATAL_FAILURE(watch_two_media(stage));
  stage.sessions->send(stage.sessions->goodbye(0xa, stage.media_ssrc(0)));
  for (int i = 0; i < 5; ++i) {
    stage.world.run_for(1s);
    stage.sessions->send(stage.sessions->report(0xb, stage.media_ssrc(1)));
  }
  stage.world.run_for(100ms);
  EXPECT_EQ(stage.destination(0), std::nullopt);
  EXPECT_EQ(stage.destination(1), stage.viewer->options.rtp);
}

TEST(Departure, a_report_that_its_own_goodbye_overtook_does_not_bring_the_receiver_back) {
  DepartureStage stage;
  stage.sessions->send(stage.sessions->report(0xa));
  stage.world.run_for(1s);
  Bytes late = stage.sessions->report(0xa, stage.media_ssrc(0));
  stage.sessions->send(stage.sessions->goodbye(0xa, stage.media_ssrc(0)));
  stage.world.run_for(100ms);
  stage.sessions->send(std::move(late));
  stage.world.run_for(1s);
  EXPECT_EQ(stage.destination(), std::nullopt);
  stage.sessions->send(stage.sessions->report(0xc));
  stage.world.run_for(100ms);
  EXPECT_EQ(stage.destination(), stage.viewer->options.rtp) << "a while later it may come back";
}

TEST(Departure, a_crashed_receiver_makes_room_for_the_next_one) {
  DepartureStage stage;
  stage.viewer->say_hello();
  for (int i = 0; i < 5; ++i) {
    stage.world.run_for(5s);
    stage.viewer->send_report();
  }
  Viewer next(stage.world, stage.at(201, 0x1234), &stage.key);
  for (int i = 0; i < 20; ++i) {
    stage.world.run_for(2s);
    next.say_hello();
  }
  stage.world.run_for(100ms);
  EXPECT_EQ(stage.departures(), 1U);
  EXPECT_EQ(stage.destination(), next.options.rtp);
  EXPECT_GE(next.packets.size(), 90U);
  EXPECT_NE(next.media_ssrc(), stage.viewer->media_ssrc());
  expect_flawless(next);
}

TEST(Departure, a_receiver_that_goes_on_reporting_keeps_its_place) {
  DepartureStage stage;
  stage.viewer->say_hello();
  for (int i = 0; i < 30; ++i) {
    stage.world.run_for(7s);
    stage.viewer->send_report();
  }
  EXPECT_EQ(stage.departures(), 0U);
  EXPECT_EQ(stage.destination(), stage.viewer->options.rtp);
}

TEST(Departure, a_receiver_that_has_never_reported_is_not_missed) {
  DepartureStage stage;
  stage.viewer->say_hello();
  stage.world.run_for(300s);
  EXPECT_EQ(stage.departures(), 0U);
  EXPECT_EQ(stage.destination(), stage.viewer->options.rtp);
}

TEST(Departure, a_receiver_is_not_missed_while_the_source_is_away) {
  DepartureStage stage;
  stage.viewer->say_hello();
  stage.world.run_for(1s);
  stage.viewer->send_report();
  stage.world.run_for(1s);
  stage.publisher->stop();
  stage.world.run_for(300s);
  stage.publisher->start();
  for (int i = 0; i < 10; ++i) {
    stage.world.run_for(5s);
    stage.viewer->send_report();
  }
  EXPECT_EQ(stage.departures(), 0U);
  EXPECT_EQ(stage.destination(), stage.viewer->options.rtp);
}

TEST(Departure, a_receiver_that_the_network_refuses_makes_room_for_the_next_one) {
  DepartureStage stage;
  stage.world.reports_unreachable = true;
  stage.viewer->say_hello();
  stage.world.run_for(1s);
  stage.world.detach(stage.viewer->options.rtp);
  stage.world.run_for(10s);
  EXPECT_EQ(stage.departures(), 1U);
  EXPECT_EQ(stage.destination(), std::nullopt);
  Viewer next(stage.world, stage.at(201, 0x1234), &stage.key);
  next.say_hello();
  stage.world.run_for(1s);
  EXPECT_EQ(stage.destination(), next.options.rtp);
  EXPECT_GE(next.packets.size(), 90U);
}

TEST(Departure, a_receiver_that_the_network_refuses_for_a_moment_keeps_its_place) {
  DepartureStage stage;
  stage.world.reports_unreachable = true;
  stage.viewer->say_hello();
  for (int i = 0; i < 5; ++i) {
    stage.world.run_for(10s);
    stage.world.detach(stage.viewer->options.rtp);
    stage.world.run_for(3s);
    stage.world.attach(stage.viewer->options.rtp, [](const SocketAddress&, ByteView) {});
  }
  EXPECT_EQ(stage.departures(), 0U);
  EXPECT_EQ(stage.destination(), stage.viewer->options.rtp);
}

}  // namespace
}  // namespace runnel::simulation
