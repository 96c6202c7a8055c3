// What a source may do without its receivers noticing.
#include <gtest/gtest.h>

#include "tests/simulation/stage.h"

namespace runnel::simulation {
namespace {

TEST(Source, every_packet_reaches_the_receiver_bit_for_bit) {
  Stage stage;
  stage.publisher->start();
  stage.world.run_for(10s);
  stage.publisher->stop();
  stage.world.run_for(100ms);
  EXPECT_EQ(stage.viewer().packets.size(), stage.publisher->packets);
  expect_flawless(stage.viewer());
  expect_gaps_of_the_source(stage.viewer());
  EXPECT_EQ(stage.world.count_events<relay::TrackStarted>(), 1U);
}

TEST(Source, headers_pass_through_but_for_what_is_translated) {
  Stage stage;
  Publisher& publisher = *stage.publisher;
  publisher.contributing_sources = {0xaaaaaaaa, 0xbbbbbbbb};
  publisher.extension_profile = 0xBEDE;
  publisher.extension = {0x10, 0x7f, 0x00, 0x00};
  publisher.padding = 7;
  publisher.send_frame();
  stage.world.run_for(100ms);
  ASSERT_EQ(stage.viewer().packets.size(), 4U);
  const ReceivedPacket& last = stage.viewer().packets.back();
  EXPECT_TRUE(last.marker);
  EXPECT_EQ(last.padding, 7U);
  EXPECT_EQ(last.payload_type, 102);
  EXPECT_NE(last.ssrc, publisher.options.ssrc);
  EXPECT_LT(last.sequence_number, 1U << 15);
  const ByteView behind_fixed_part = ByteView(last.header).subspan(12);
  const Bytes expected{0xaa, 0xaa, 0xaa, 0xaa, 0xbb, 0xbb, 0xbb, 0xbb,
                       0xBE, 0xDE, 0x00, 0x01, 0x10, 0x7f, 0x00, 0x00};
  EXPECT_EQ(Bytes(behind_fixed_part.begin(), behind_fixed_part.end()), expected);
  EXPECT_EQ(last.header[0] & 0x3f, 0x32) << "padding, extension, two CSRCs";
}

TEST(Source, that_restarts_with_a_new_ssrc_is_not_noticed_by_its_receivers) {
  Stage stage(2);
  stage.publisher->start();
  stage.world.run_for(3s);
  stage.publisher->restart(0x33333333, 60123, 17);
  stage.world.run_for(3s);
  EXPECT_EQ(stage.world.count_events<relay::SourceRestarted>(), 1U);
  EXPECT_EQ(stage.source().restarts, 1U);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(stage.viewer(i).ssrcs().size(), 1U);
    EXPECT_GE(stage.viewer(i).packets.size(), 590U);
    expect_flawless(stage.viewer(i));
    expect_gaps_of_the_source(stage.viewer(i));
  }
}

TEST(Source, that_restarts_after_a_pause_advances_the_timestamps_by_the_pause) {
  Stage stage;
  stage.publisher->start();
  stage.world.run_for(1s);
  stage.publisher->stop();
  stage.world.run_for(2s);
  const ReceivedPacket before = stage.viewer().packets.back();
  stage.publisher->restart(0x33333333, 1, 0);
  stage.publisher->send_frame();
  stage.world.run_for(100ms);
  const ReceivedPacket after = stage.viewer().packets.back();
  const std::uint32_t ticks = after.timestamp - before.timestamp;
  const double seconds = std::chrono::duration<double>(after.arrival - before.arrival).count();
  EXPECT_NEAR(ticks, seconds * 90000, 90);
}

TEST(Source, that_restarts_a_hundred_times_still_makes_one_stream) {
  Stage stage;
  SeededRandom random(7);
  stage.publisher->start();
  for (int i = 0; i < 100; ++i) {
    stage.publisher->restart(random.u32(), static_cast<std::uint16_t>(random.u32()), random.u32());
    stage.world.run_for(500ms);
  }
  EXPECT_EQ(stage.viewer().ssrcs().size(), 1U);
  EXPECT_EQ(stage.source().restarts, 100U);
  expect_flawless(stage.viewer());
  expect_gaps_of_the_source(stage.viewer());
}

TEST(Source, that_starts_at_65500_and_loses_the_first_packets_after_the_wrap_is_still_decrypted) {
  auto options = at_camera();
  options.first_sequence_number = 65500;
  Stage stage(1, {}, 1, options);
  Publisher& publisher = *stage.publisher;
  for (int i = 0; i < 36; ++i) publisher.send(publisher.make_packet(true));
  for (int i = 0; i < 20; ++i) static_cast<void>(publisher.make_packet(true));  // lost
  for (int i = 0; i < 100; ++i) publisher.send(publisher.make_packet(true));
  stage.world.run_for(100ms);
  EXPECT_EQ(stage.viewer().packets.size(), 136U);
  EXPECT_EQ(stage.viewer().refused, 0U);
  expect_gaps_of_the_source(stage.viewer());
}

TEST(Source, whose_first_packet_heard_lies_behind_its_wrap_is_still_decrypted) {
  auto options = at_camera();
  options.first_sequence_number = 65530;
  Stage stage(1, {}, 1, options);
  for (int i = 0; i < 10; ++i) static_cast<void>(stage.publisher->make_packet(true));  // lost
  stage.publisher->start();
  stage.world.run_for(1s);
  EXPECT_EQ(stage.viewer().packets.size(), 25U * 4);
  expect_flawless(stage.viewer());
}

TEST(Source, whose_numbers_wrap_many_times_is_relayed_without_a_break) {
  auto options = at_camera();
  options.packets_per_frame = 200;
  options.payload_size = 20;
  Stage stage(1, {}, 1, options);
  stage.publisher->start();
  stage.world.run_for(40s);
  stage.publisher->stop();
  stage.world.run_for(100ms);
  EXPECT_GT(stage.publisher->packets, 3U * 65536);
  EXPECT_EQ(stage.viewer().packets.size(), stage.publisher->packets);
  expect_flawless(stage.viewer());
}

TEST(Source, stragglers_of_a_replaced_ssrc_are_dropped) {
  Stage stage;
  Publisher& publisher = *stage.publisher;
  publisher.start();
  stage.world.run_for(1s);
  const Bytes straggler = publisher.make_packet(true);
  publisher.restart(0x33333333, 5, 5);
  stage.world.run_for(1s);
  const std::size_t before = stage.viewer().packets.size();
  publisher.stop();
  stage.world.run_for(50ms);
  const std::size_t after_stop = stage.viewer().packets.size();
  publisher.send(straggler);
  stage.world.run_for(100ms);
  EXPECT_GE(after_stop, before);
  EXPECT_EQ(stage.viewer().packets.size(), after_stop);
  EXPECT_EQ(stage.source().drops[DropReason::superseded_source], 1U);
}

TEST(Source, of_an_earlier_ssrc_may_return_when_the_current_one_has_fallen_silent) {
  Stage stage;
  Publisher first_publisher(stage.world, at_camera(), &stage.source_key);
  auto other = at_camera();
  other.rtp = peer_address(3, 40000);
  other.rtcp = peer_address(3, 40001);
  other.ssrc = 0x77777777;
  Publisher second_publisher(stage.world, other, &stage.source_key);
  first_publisher.start();
  stage.world.run_for(1s);
  second_publisher.start();
  stage.world.run_for(1s);  // both at once: the newer one wins
  const auto superseded = stage.source().drops[DropReason::superseded_source];
  EXPECT_NEAR(static_cast<double>(superseded), 100, 8);
  second_publisher.stop();
  stage.world.run_for(7s);
  EXPECT_EQ(stage.source().ssrc, first_publisher.options.ssrc);
  EXPECT_EQ(stage.viewer().ssrcs().size(), 1U);
}

TEST(Source, that_is_pinned_to_an_ssrc_is_not_replaced_by_another) {
  World world;
  const auto key = make_key(1);
  const auto viewer_key = make_key(2);
  auto relay = camera("camera", &key);
  relay.from.media[0].ssrc = 0x11111111;
  relay.to.push_back(screen(0, &viewer_key));
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Viewer viewer(world, at_screen(0), &viewer_key);
  Publisher publisher(world, at_camera(), &key);
  publisher.send_frame();
  publisher.restart(0x99999999, 1, 1);
  publisher.send_frame();
  world.run_for(100ms);
  EXPECT_EQ(viewer.packets.size(), 4U);
  EXPECT_EQ(world.engine.statistics(0).from[0].drops[DropReason::unknown_ssrc], 4U);
}

TEST(Source, that_moves_to_another_address_is_followed_at_once) {
  Stage stage;
  stage.publisher->start();
  stage.world.run_for(1s);
  stage.publisher->move_to(peer_address(1, 41000), peer_address(1, 41001));
  stage.world.run_for(50ms);
  stage.viewer().ask_by_picture_loss_indication();
  stage.world.run_for(1s);
  EXPECT_EQ(stage.source().source, peer_address(1, 41000));
  EXPECT_EQ(stage.publisher->picture_loss_indications, 1U);
  expect_flawless(stage.viewer());
}

TEST(Source, in_the_clear_that_begins_anew_under_its_ssrc_is_followed) {
  World world;
  const auto viewer_key = make_key(2);
  auto relay = camera("camera", nullptr);
  relay.to.push_back(screen(0, &viewer_key));
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Viewer viewer(world, at_screen(0), &viewer_key);
  auto options = at_camera();
  options.first_sequence_number = 30000;
  Publisher publisher(world, options, nullptr);
  publisher.start();
  world.run_for(1s);
  publisher.restart(publisher.options.ssrc, 12, 99);
  world.run_for(1s);
  publisher.stop();
  world.run_for(100ms);
  expect_flawless(viewer);
  EXPECT_EQ(viewer.ssrcs().size(), 1U);
  EXPECT_EQ(viewer.packets.size(), publisher.packets - 1) << "the first is taken for a stray";
}

TEST(Source, in_the_clear_that_sends_everything_twice_is_relayed_once) {
  World world;
  const auto viewer_key = make_key(2);
  auto relay = camera("camera", nullptr);
  relay.to.push_back(screen(0, &viewer_key));
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Viewer viewer(world, at_screen(0), &viewer_key);
  Publisher publisher(world, at_camera(), nullptr);
  world.up.duplication = 1;
  publisher.start();
  world.run_for(1s);
  publisher.stop();
  world.run_for(100ms);
  expect_flawless(viewer);
  EXPECT_EQ(viewer.packets.size(), viewer.numbers().size());
  EXPECT_EQ(world.engine.statistics(0).from[0].drops[DropReason::replayed], publisher.packets);
}

TEST(Source, rollover_counter_of_a_long_running_stream_is_taken_from_the_configuration) {
  World world;
  const auto key = make_key(1);
  const auto viewer_key = make_key(2);
  auto relay = camera("camera", &key);
  relay.from.media[0].rollover_counter = 500;
  relay.to.push_back(screen(0, &viewer_key));
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Viewer viewer(world, at_screen(0), &viewer_key);
  Publisher publisher(world, at_camera(), &key, 500);
  publisher.start();
  world.run_for(1s);
  EXPECT_GE(viewer.packets.size(), 100U);
  expect_flawless(viewer);
}

}  // namespace
}  // namespace runnel::simulation
