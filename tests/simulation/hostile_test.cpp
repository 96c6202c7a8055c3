// Bad input: whatever is not authentic changes nothing but counters.
#include <gtest/gtest.h>

#include "tests/simulation/stage.h"

namespace runnel::simulation {
namespace {

const SocketAddress kAttacker = peer_address(666, 6666);

TEST(Hostile, a_hundred_thousand_forged_packets_change_nothing) {
  Stage stage;
  SeededRandom random(3);
  stage.publisher->start();
  stage.publisher->send_report();
  stage.world.run_for(1s);
  const auto before = stage.source();
  const std::size_t told = stage.world.events.size();
  stage.world.up.delay = 0ms;
  for (int i = 0; i < 100'000; ++i) {
    Bytes forged(12 + random.u32() % 200);
    random.fill(forged);
    forged[0] = static_cast<std::uint8_t>(0x80 | (forged[0] & 0x3f));
    if (i % 3 != 0) forged[1] = 96;
    if (i % 2 != 0) store_be32(forged.data() + 8, stage.publisher->options.ssrc);
    const PortIndex port = i % 5 == 0 ? kSourceRtcp : i % 7 == 0 ? receiver_port(0) : kSourceRtp;
    stage.world.send(kAttacker, port, std::move(forged));
  }
  stage.world.run_for(1ms);
  EXPECT_LE(stage.world.events.size(), told + 1) << "one notice that something fails";
  EXPECT_EQ(stage.source().ssrc, before.ssrc);
  EXPECT_EQ(stage.source().source, before.source);
  EXPECT_EQ(stage.source().restarts, 0U);
  stage.world.up.delay = 5ms;
  stage.world.run_for(5s);
  stage.publisher->stop();
  stage.world.run_for(100ms);
  EXPECT_EQ(stage.viewer().packets.size(), stage.publisher->packets);
  expect_flawless(stage.viewer());
  EXPECT_EQ(stage.world.unreachable, 0U) << "nobody is ever answered";
}

TEST(Hostile, every_kind_of_garbage_on_every_port_is_counted_by_its_reason) {
  Stage stage;
  const auto expect_counted = [&](PortIndex port, Bytes bytes, DropReason reason) {
    const auto drops = [&] {
      return stage.source().drops[reason] + stage.receiver().drops[reason] +
             stage.world.engine.stray_drops()[reason];
    };
    const auto before = drops();
    stage.world.send(kAttacker, port, std::move(bytes));
    stage.world.run_for(10ms);
    EXPECT_EQ(drops(), before + 1) << to_string(reason);
  };
  for (const PortIndex port : {kSourceRtp, kSourceRtcp, receiver_port(0)}) {
    expect_counted(port, {}, DropReason::not_rtp);
    expect_counted(port, {0x00, 0x01, 0, 0}, DropReason::not_rtp);     // STUN
    expect_counted(port, {0x16, 0xfe, 0xfd, 0}, DropReason::not_rtp);  // DTLS
    expect_counted(port, Bytes(40, 0x40), DropReason::not_rtp);        // version 1
    expect_counted(port, {0x80, 0x60, 0, 1}, DropReason::malformed);   // cut short
    expect_counted(port, {0x80, 0xc8, 0, 0}, DropReason::malformed);   // the same, RTCP
    expect_counted(port, Bytes(kMaxDatagramSize + 1, 0x80), DropReason::oversized);
  }
  Bytes unknown_type(100, 0x80);
  unknown_type[1] = 35;
  expect_counted(kSourceRtp, unknown_type, DropReason::unknown_payload_type);
  expect_counted(kSourceRtcp, unknown_type, DropReason::unknown_payload_type);
  expect_counted(receiver_port(0), unknown_type, DropReason::unknown_payload_type);
  expect_counted(PortIndex{999}, unknown_type, DropReason::unknown_path);
  Bytes wrong_key(100, 0x80);
  wrong_key[1] = 96;
  expect_counted(kSourceRtp, wrong_key, DropReason::authentication_failed);
  Bytes beyond_end(100, 0x8f);  // 15 CSRCs and an extension that is longer than the packet
  beyond_end[0] = 0x9f;
  beyond_end[1] = 96;
  expect_counted(kSourceRtp, beyond_end, DropReason::malformed);
}

TEST(Hostile, a_datagram_of_the_longest_size_is_still_relayed_and_one_more_byte_is_not) {
  World world;
  const auto key = make_key(2, srtp::Profile::aead_aes_256_gcm);
  auto relay = camera("camera", nullptr);
  relay.to.push_back(screen(0, &key));
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Viewer viewer(world, at_screen(0), &key);
  auto options = at_camera();
  options.payload_size = kMaxDatagramSize - 12;
  Publisher publisher(world, options, nullptr);
  publisher.send_frame();
  world.run_for(100ms);
  EXPECT_EQ(viewer.packets.size(), 4U);
  publisher.options.payload_size = kMaxDatagramSize - 11;
  publisher.send_frame();
  world.run_for(100ms);
  EXPECT_EQ(viewer.packets.size(), 4U);
  EXPECT_EQ(world.engine.statistics(0).from[0].drops[DropReason::oversized], 4U);
}

TEST(Hostile, replays_from_another_address_are_not_relayed_and_move_nothing) {
  Stage stage;
  std::vector<Bytes> captured;
  for (int i = 0; i < 50; ++i) {
    captured.push_back(stage.publisher->make_packet(true));
    stage.publisher->send(captured.back());
  }
  stage.world.run_for(100ms);
  for (const Bytes& packet : captured) stage.world.send(kAttacker, kSourceRtp, packet);
  stage.world.run_for(1s);
  EXPECT_EQ(stage.viewer().packets.size(), 50U);
  EXPECT_EQ(stage.source().source, stage.publisher->options.rtp);
  EXPECT_EQ(stage.source().drops[DropReason::replayed], 50U);
}

TEST(Hostile, our_own_packets_sent_back_to_us_change_nothing_though_one_key_serves_all) {
  World world;
  const auto key = make_key(1);
  auto relay = camera("camera", &key);
  relay.to.push_back(screen(0, &key));
  relay.to[0].media[0].payload_type = 96;
  relay.to.push_back(screen(1, &key));
  relay.to[1].latch = relay::Latch::first;
  relay.to[1].media[0].rtp_destination.reset();
  relay.to[1].media[0].rtcp_destination.reset();
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Viewer viewer(world, at_screen(0), &key);
  Publisher publisher(world, at_camera(), &key);
  std::vector<Bytes> ours;
  world.on_sent = [&](const relay::OutgoingDatagram& datagram) {
    ours.emplace_back(datagram.bytes.begin(), datagram.bytes.end());
  };
  publisher.start();
  publisher.send_report();
  world.run_for(2s);
  world.on_sent = nullptr;
  for (const Bytes& packet : ours) {
    for (const PortIndex port : {kSourceRtp, kSourceRtcp, receiver_port(0), receiver_port(1)}) {
      world.send(kAttacker, port, packet);
    }
  }
  world.run_for(1s);
  const auto statistics = world.engine.statistics(0);
  EXPECT_EQ(statistics.from[0].ssrc, publisher.options.ssrc);
  EXPECT_EQ(statistics.from[0].restarts, 0U);
  EXPECT_EQ(statistics.from[0].source, publisher.options.rtp);
  EXPECT_EQ(statistics.to[1].media[0].destination, std::nullopt);
  EXPECT_EQ(world.count_events<relay::ReceiverLeft>(), 0U);
  expect_flawless(viewer);
}

TEST(Hostile, whoever_is_not_on_the_allow_list_is_not_even_decrypted) {
  World world;
  const auto key = make_key(1);
  auto relay = camera("camera", &key);
  relay.from.allow.push_back(*IpNetwork::parse("203.0.113.0/24"));
  relay.to.push_back(screen(0, &key));
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Viewer viewer(world, at_screen(0), &key);
  Publisher publisher(world, at_camera(), &key);
  publisher.send_frame();
  publisher.send_report();
  world.run_for(100ms);
  EXPECT_EQ(viewer.packets.size(), 0U);
  EXPECT_EQ(world.engine.statistics(0).from[0].drops[DropReason::source_not_allowed], 5U);
  EXPECT_TRUE(world.events.empty());
}

TEST(Hostile, a_wrong_key_is_told_once_and_not_for_each_packet) {
  World world;
  const auto key = make_key(1);
  const auto wrong = make_key(9);
  auto relay = camera("camera", &key);
  relay.to.push_back(screen(0, &key));
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Viewer viewer(world, at_screen(0), &key);
  Publisher publisher(world, at_camera(), &wrong);
  publisher.start();
  world.run_for(60s);
  const auto told = world.events_of<relay::AuthenticationFailing>();
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told[0].source, publisher.options.rtp);
  EXPECT_GE(world.engine.statistics(0).from[0].drops[DropReason::authentication_failed], 5900U);
  EXPECT_EQ(viewer.packets.size(), 0U);
}

TEST(Hostile, forgers_from_many_addresses_cannot_fill_the_log) {
  Stage stage;
  stage.publisher->start();
  stage.world.run_for(100ms);
  Bytes forged(100, 0x80);
  forged[1] = 96;
  for (std::uint16_t i = 0; i < 1000; ++i) {
    stage.world.send(peer_address(i, 1), kSourceRtp, forged);
    stage.world.run_for(60ms);
  }
  EXPECT_LE(stage.world.count_events<relay::AuthenticationFailing>(), 7U) << "in one minute";
  expect_flawless(stage.viewer());
}

TEST(Hostile, a_port_of_its_own_in_the_clear_listens_to_its_receiver_alone) {
  World world;
  const auto key = make_key(1);
  auto relay = camera("camera", &key);
  relay.to.push_back(screen(0, nullptr));
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Viewer viewer(world, at_screen(0), nullptr);
  Publisher publisher(world, at_camera(), &key);
  publisher.start();
  world.run_for(1s);
  ViewerOptions options = at_screen(0);
  options.rtp = options.rtcp = kAttacker;
  Viewer attacker(world, options, nullptr);
  attacker.ask_by_picture_loss_indication(viewer.media_ssrc());
  attacker.send_goodbye();
  world.run_for(1s);
  EXPECT_EQ(publisher.picture_loss_indications, 0U);
  EXPECT_EQ(world.count_events<relay::ReceiverLeft>(), 0U);
  EXPECT_EQ(world.engine.statistics(0).to[0].media[0].drops[DropReason::source_not_allowed], 2U);
}

TEST(Hostile, reports_of_a_stranger_do_not_attract_our_rtcp_in_the_clear) {
  World world;
  auto relay = camera("camera", nullptr);
  relay.to.push_back(screen(0, nullptr));
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Publisher publisher(world, at_camera(), nullptr);
  auto options = at_camera();
  options.rtp = options.rtcp = kAttacker;
  options.ssrc = 0x666;
  Publisher attacker(world, options, nullptr);
  publisher.start();
  world.run_for(500ms);
  attacker.send_report();
  attacker.send_goodbye();
  world.run_for(3s);
  EXPECT_EQ(attacker.reports.size(), 0U);
  EXPECT_GE(publisher.reports.size(), 2U);
  EXPECT_EQ(world.count_events<relay::TrackEnded>(), 0U);
}

TEST(Hostile, rtcp_that_does_not_hold_together_is_malformed_even_when_authentic) {
  Stage stage;
  stage.publisher->start();
  stage.world.run_for(100ms);
  srtp::Sender sender(stage.source_key);
  Bytes packet(64, 0);
  packet[0] = 0x80;
  packet[1] = 200;
  packet[3] = 50;  // far beyond the end
  store_be32(packet.data() + 4, 0x12345678);
  const auto size = sender.protect_in_place(srtp::PacketKind::rtcp, packet, 28);
  ASSERT_TRUE(size);
  packet.resize(*size);
  stage.world.send(stage.publisher->options.rtcp, kSourceRtcp, packet);
  stage.world.run_for(100ms);
  EXPECT_EQ(stage.source().drops[DropReason::malformed], 1U);
}

}  // namespace
}  // namespace runnel::simulation
