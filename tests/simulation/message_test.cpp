// Legs by message: what comes in or goes out by a connection instead of a UDP port.
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/simulation/stage.h"

namespace runnel::simulation {
namespace {

using relay::ChannelId;

constexpr ChannelId kPublisher{7};
constexpr ChannelId kViewer{8};
constexpr ChannelId kOther{9};

relay::RelayDescription camera_by_message(ChannelId channel = kPublisher) {
  auto relay = camera("camera", nullptr);
  relay.from.channel = channel;
  relay.from.media[0].ports = {};
  return relay;
}

void expect_whole(const Viewer& viewer) {
  EXPECT_GE(viewer.packets.size(), 190U);
  EXPECT_EQ(viewer.ssrcs().size(), 1U);
  EXPECT_EQ(viewer.packets.front().payload_type, 102);
  expect_flawless(viewer);
  expect_gaps_of_the_source(viewer);
}

TEST(Messages, go_in_and_come_out_as_srtp) {
  World world;
  const auto key = make_key(2);
  auto relay = camera_by_message();
  relay.to.push_back(screen(0, &key));
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Viewer viewer(world, at_screen(0), &key);
  Publisher publisher(world, at_channel(kPublisher), nullptr);
  publisher.start();
  world.run_for(2s);
  expect_whole(viewer);
  const auto started = world.events_of<relay::TrackStarted>();
  ASSERT_EQ(started.size(), 1U);
  EXPECT_EQ(started[0].source, std::nullopt);
  EXPECT_EQ(world.engine.statistics(0).channel, kPublisher);
  EXPECT_TRUE(world.engine.statistics(0).from[0].live);
}

TEST(Messages, come_out_of_srtp) {
  World world;
  const auto key = make_key(1);
  auto relay = camera("camera", &key);
  relay.to.push_back(listener(kViewer));
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Viewer viewer(world, at_listener(kViewer), nullptr);
  Publisher publisher(world, at_camera(), &key);
  publisher.start();
  world.run_for(1s);
  publisher.send_report();
  world.run_for(1s);
  expect_whole(viewer);
  ASSERT_GE(viewer.sender_reports.size(), 1U);
  EXPECT_EQ(viewer.sender_reports[0].ssrc, viewer.media_ssrc());
  EXPECT_EQ(viewer.cname.size(), 16U);
  EXPECT_EQ(world.engine.statistics(0).to[0].channel, kViewer);
}

TEST(Messages, come_out_of_messages) {
  World world;
  auto relay = camera_by_message();
  relay.to.push_back(listener(kViewer));
  relay.to.push_back(listener(kOther));
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Viewer viewer(world, at_listener(kViewer), nullptr);
  Viewer other(world, at_listener(kOther), nullptr);
  Publisher publisher(world, at_channel(kPublisher), nullptr);
  publisher.start();
  world.run_for(2s);
  expect_whole(viewer);
  expect_whole(other);
  EXPECT_NE(viewer.media_ssrc(), other.media_ssrc());
  EXPECT_EQ(world.unreachable, 0U);
}

TEST(Messages, tell_their_publisher_how_it_is_received_and_when_a_key_frame_is_needed) {
  World world;
  auto relay = camera_by_message();
  relay.to.push_back(listener(kViewer));
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Publisher publisher(world, at_channel(kPublisher), nullptr);
  publisher.start();
  world.run_for(3s);
  EXPECT_GE(publisher.reports.size(), 2U);
  EXPECT_EQ(publisher.reports.back().ssrc, publisher.options.ssrc);
  EXPECT_EQ(publisher.picture_loss_indications, 0U);
  world.engine.request_key_frame({0, 0, 0});
  world.drain();
  world.run_for(100ms);
  EXPECT_EQ(publisher.picture_loss_indications, 1U);
  world.engine.remove_relay(0);
  world.drain();
  world.run_for(100ms);
  EXPECT_EQ(publisher.goodbyes, 1U);
  EXPECT_EQ(publisher.faults, 0U);
}

TEST(Messages, carry_the_clock_of_a_publisher_that_tells_it_without_rtcp) {
  World world;
  const auto key = make_key(2);
  auto relay = camera_by_message();
  relay.to.push_back(screen(0, &key));
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Viewer viewer(world, at_screen(0), &key);
  Publisher publisher(world, at_channel(kPublisher), nullptr);
  world.engine.note_sender_report(world.now, 0, 0, publisher.ntp_now(), {1});
  EXPECT_EQ(world.engine.statistics(0).from[0].packets, 0U) << "nothing before the first packet";
  publisher.start();
  world.run_for(1s);
  EXPECT_TRUE(viewer.sender_reports.empty());
  const NtpTime ntp = publisher.ntp_now();
  const std::uint32_t frame = publisher.frames - 1;
  world.engine.note_sender_report(world.now, 0, 0, ntp, {publisher.timestamp_now()});
  world.drain();
  world.run_for(100ms);
  ASSERT_EQ(viewer.sender_reports.size(), 1U);
  EXPECT_EQ(viewer.sender_reports[0].ntp, ntp);
  const auto packet = std::ranges::find(
      viewer.packets, frame, [](const ReceivedPacket& received) { return received.content.frame; });
  ASSERT_NE(packet, viewer.packets.end());
  EXPECT_EQ(viewer.sender_reports[0].rtp.value, packet->timestamp);
}

TEST(Messages, say_goodbye_to_a_reader_that_is_removed) {
  World world;
  auto relay = camera_by_message();
  relay.to.push_back(listener(kViewer));
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Viewer viewer(world, at_listener(kViewer), nullptr);
  Publisher publisher(world, at_channel(kPublisher), nullptr);
  publisher.start();
  world.run_for(1s);
  world.engine.remove_receiver(0, 0);
  world.drain();
  world.run_for(1s);
  EXPECT_EQ(viewer.goodbyes, std::vector<std::uint32_t>{viewer.media_ssrc()});
  EXPECT_LE(viewer.packets.size(), 104U);
}

TEST(Messages, that_a_slow_reader_has_no_room_for_are_counted_for_it_alone) {
  World world;
  auto relay = camera_by_message();
  relay.to.push_back(listener(kViewer));
  relay.to.push_back(listener(kOther));
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Viewer slow(world, at_listener(kViewer), nullptr);
  Viewer other(world, at_listener(kOther), nullptr);
  Publisher publisher(world, at_channel(kPublisher), nullptr);
  std::uint64_t refused = 0;
  world.is_too_slow = [&](const relay::OutgoingMessage& message) {
    const bool is_refused =
        message.channel == kViewer && world.now.time_since_epoch() % 200ms < 100ms;
    if (is_refused) ++refused;
    return is_refused;
  };
  publisher.start();
  world.run_for(2s);
  const auto receivers = world.engine.statistics(0).to;
  EXPECT_GE(refused, 50U);
  EXPECT_EQ(receivers[0].media[0].drops[DropReason::slow_reader], refused);
  EXPECT_EQ(receivers[1].media[0].drops.total(), 0U);
  expect_whole(other);
  expect_flawless(slow);
}

TEST(Messages, of_a_connection_that_has_been_replaced_are_nobodys) {
  World world;
  auto relay = camera_by_message();
  relay.to.push_back(listener(kViewer));
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Viewer viewer(world, at_listener(kViewer), nullptr);
  Publisher publisher(world, at_channel(kPublisher), nullptr);
  publisher.start();
  world.run_for(1s);
  ASSERT_TRUE(world.engine.replace_source(0, camera_by_message(kOther).from));
  world.drain();
  Publisher next(world, at_channel(kOther), nullptr);
  number_after(next, publisher);
  next.start();
  world.run_for(1s);
  EXPECT_EQ(publisher.goodbyes, 1U);
  EXPECT_GE(world.engine.stray_drops()[DropReason::superseded_source], 90U);
  EXPECT_EQ(viewer.ssrcs().size(), 1U);
  EXPECT_GE(viewer.packets.size(), 190U);
  expect_flawless(viewer);
  world.engine.detach_source(0);
  world.drain();
  const std::uint64_t before = world.engine.statistics(0).from[0].packets;
  world.run_for(1s);
  EXPECT_EQ(world.engine.statistics(0).from[0].packets, before);
  world.send(kOther, 17, 0, Bytes(100, 0x80));
  world.run_for(100ms);
  EXPECT_EQ(world.engine.statistics(0).from[0].packets, before) << "no such relay";
}

TEST(Messages, that_are_no_packets_of_the_medium_are_counted_and_dropped) {
  World world;
  auto relay = camera_by_message();
  relay.from.media[0].ssrc = 0x11111111;
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Publisher publisher(world, at_channel(kPublisher), nullptr);
  const Bytes good = publisher.make_packet(true);
  const auto send = [&](Bytes bytes, std::size_t medium = 0) {
    world.send(kPublisher, 0, medium, std::move(bytes));
  };
  auto changed = [&](std::size_t place, std::uint8_t value) {
    Bytes bytes = good;
    bytes[place] = value;
    return bytes;
  };
  send({});
  send(changed(0, 0x00));
  send(changed(1, 200));
  send(Bytes(good.begin(), good.begin() + 11));
  send(changed(1, 97));
  send(changed(8, 0x22));
  send(good, 1);
  Bytes longest = good;
  longest.resize(kMaxDatagramSize);
  Bytes too_long = longest;
  too_long.push_back(0);
  send(too_long);
  world.run_for(100ms);
  const DropCounters drops = world.engine.statistics(0).from[0].drops;
  EXPECT_EQ(drops[DropReason::not_rtp], 3U);
  EXPECT_EQ(drops[DropReason::malformed], 1U);
  EXPECT_EQ(drops[DropReason::unknown_payload_type], 2U);
  EXPECT_EQ(drops[DropReason::unknown_ssrc], 1U);
  EXPECT_EQ(drops[DropReason::oversized], 1U);
  EXPECT_EQ(drops.total(), 8U);
  send(longest);
  world.run_for(100ms);
  EXPECT_EQ(world.engine.statistics(0).from[0].packets, 1U);
}

TEST(Messages, may_pass_on_what_came_out_of_another_stream) {
  World world;
  auto first = camera_by_message();
  first.to.push_back(listener(kViewer));
  ASSERT_TRUE(world.engine.add_relay(std::move(first)));
  auto second = camera_by_message(kOther);
  second.stream = "echo";
  second.from.media[0].payload_type = 102;
  second.to.push_back(listener(ChannelId{10}));
  ASSERT_TRUE(world.engine.add_relay(std::move(second)));
  world.attach(kViewer, [&](const relay::OutgoingMessage& message) {
    if (message.is_rtcp) return;
    world.send(kOther, 1, 0, Bytes(message.bytes.begin(), message.bytes.end()));
  });
  Viewer viewer(world, at_listener(ChannelId{10}), nullptr);
  Publisher publisher(world, at_channel(kPublisher), nullptr);
  publisher.start();
  world.run_for(2s);
  expect_whole(viewer);
}

TEST(Messages, keep_media_of_one_leg_apart_by_their_number) {
  World world;
  auto relay = camera_by_message();
  relay.from.media.push_back(relay.from.media[0]);
  relay.from.media[1].name = "second";
  auto leg = listener(kViewer);
  leg.media.push_back(leg.media[0]);
  leg.media[1].source = 1;
  relay.to.push_back(std::move(leg));
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  std::array<std::uint64_t, 2> got{};
  world.attach(kViewer, [&](const relay::OutgoingMessage& message) {
    if (!message.is_rtcp) ++got.at(message.medium);
  });
  auto options = at_channel(kPublisher);
  options.medium = 1;
  Publisher publisher(world, options, nullptr);
  publisher.start();
  world.run_for(2s);
  EXPECT_EQ(got[0], 0U);
  EXPECT_GE(got[1], 90U);
  EXPECT_EQ(world.engine.medium_name(relay::ReceiverMediumId{0, 0, 1}), "second");
  EXPECT_GE(publisher.reports.size(), 1U);
}

}  // namespace
}  // namespace runnel::simulation
