// Key frames, reports and clocks: the RTCP of both sides.
#include <gtest/gtest.h>

#include "core/relay/media_clock.h"
#include "tests/simulation/stage.h"

namespace runnel::simulation {
namespace {

TEST(Feedback, five_hundred_picture_loss_indications_cost_the_source_one_key_frame) {
  Stage stage(500);
  stage.publisher->start();
  stage.world.run_for(1s);
  for (auto& viewer : stage.viewers) viewer->ask_by_picture_loss_indication();
  stage.world.run_for(100ms);
  EXPECT_EQ(stage.publisher->picture_loss_indications, 1U);
  stage.world.run_for(2s);
  // Those that came behind the first are merged into one more.
  EXPECT_EQ(stage.publisher->picture_loss_indications, 2U);
  EXPECT_EQ(stage.source().key_frame_requests, 2U);
}

TEST(Feedback, requests_over_two_seconds_keep_the_interval) {
  Stage stage(100);
  stage.publisher->start();
  stage.world.run_for(1s);
  for (std::size_t i = 0; i < 100; ++i) {
    stage.viewer(i).ask_by_picture_loss_indication();
    stage.world.run_for(20ms);
  }
  stage.world.run_for(2s);
  EXPECT_LE(stage.publisher->picture_loss_indications, 5U);
  EXPECT_GE(stage.publisher->picture_loss_indications, 4U);
}

TEST(Feedback, a_full_intra_request_is_a_request_for_a_key_frame) {
  Stage stage;
  stage.publisher->start();
  stage.world.run_for(1s);
  stage.viewer().ask_by_full_intra_request();
  stage.world.run_for(100ms);
  EXPECT_EQ(stage.publisher->picture_loss_indications, 1U);
  EXPECT_EQ(stage.receiver().key_frame_requests, 1U);
}

TEST(Feedback, a_request_about_an_ssrc_that_is_not_ours_is_ignored) {
  Stage stage;
  stage.publisher->start();
  stage.world.run_for(1s);
  stage.viewer().ask_by_picture_loss_indication(0xdeadbeef);
  stage.world.run_for(1s);
  EXPECT_EQ(stage.publisher->picture_loss_indications, 0U);
  EXPECT_EQ(stage.receiver().drops[DropReason::unknown_ssrc], 1U);
}

TEST(Feedback, the_source_is_told_what_was_lost_on_its_way) {
  Stage stage;
  stage.world.up.loss = 0.1;
  stage.publisher->start();
  stage.world.run_for(60s);
  ASSERT_GE(stage.publisher->reports.size(), 55U);
  double sum = 0;
  for (const auto& report : stage.publisher->reports) sum += report.fraction_lost / 256.0;
  EXPECT_NEAR(sum / static_cast<double>(stage.publisher->reports.size()), 0.1, 0.02);
  const auto& last = stage.publisher->reports.back();
  EXPECT_EQ(last.ssrc, stage.publisher->options.ssrc);
  EXPECT_NEAR(last.cumulative_lost, 0.1 * stage.publisher->packets, 80);
  EXPECT_NEAR(static_cast<double>(stage.source().lost), 0.1 * stage.publisher->packets, 80);
}

TEST(Feedback, loss_on_the_way_to_a_receiver_is_not_charged_to_the_source) {
  Stage stage;
  stage.world.down.loss = 0.3;
  stage.publisher->start();
  stage.world.run_for(20s);
  ASSERT_GE(stage.publisher->reports.size(), 8U);
  for (const auto& report : stage.publisher->reports) EXPECT_EQ(report.fraction_lost, 0);
}

TEST(Feedback, the_source_can_compute_its_round_trip) {
  Stage stage;
  stage.world.up.delay = 30ms;
  stage.world.down.delay = 20ms;
  stage.publisher->start();
  stage.world.run_for(500ms);
  const NtpTime sent = stage.publisher->ntp_now();
  stage.publisher->send_report();
  stage.world.run_for(3s);
  ASSERT_FALSE(stage.publisher->reports.empty());
  const auto& report = stage.publisher->reports.back();
  EXPECT_EQ(report.last_sender_report, sent.middle());
  EXPECT_GT(report.delay_since_last_report, 65536U / 4);
}

TEST(Feedback, sender_reports_are_translated_into_the_receivers_terms) {
  Stage stage;
  stage.publisher->start();
  stage.world.run_for(2s);
  stage.publisher->stop();
  stage.world.run_for(100ms);
  const NtpTime ntp = stage.publisher->ntp_now();
  stage.publisher->send_report();
  stage.world.run_for(100ms);
  ASSERT_EQ(stage.viewer().sender_reports.size(), 1U);
  const rtp::SenderReport& report = stage.viewer().sender_reports[0];
  const ReceivedPacket& last = stage.viewer().packets.back();
  EXPECT_EQ(report.ssrc, last.ssrc);
  EXPECT_EQ(report.ntp, ntp);
  // The publisher's clock stands at its last frame plus one interval once that frame is out.
  const std::uint32_t ahead =
      stage.publisher->timestamp_now() -
      (stage.publisher->options.first_timestamp + (stage.publisher->frames - 1) * 3600);
  EXPECT_EQ(report.rtp.value - last.timestamp, ahead);
  EXPECT_EQ(report.packet_count, stage.viewer().packets.size());
  EXPECT_EQ(report.octet_count, stage.viewer().packets.size() * 300);
}

TEST(Feedback, a_sender_report_that_came_before_the_first_packet_counts) {
  Stage stage;
  stage.publisher->send_report();
  stage.world.run_for(100ms);
  EXPECT_EQ(stage.viewer().sender_reports.size(), 0U);
  stage.publisher->start();
  stage.world.run_for(1500ms);
  EXPECT_GE(stage.viewer().sender_reports.size(), 1U);
}

TEST(Feedback, a_source_that_reports_once_still_keeps_its_receivers_in_sync) {
  Stage stage;
  stage.publisher->start();
  stage.publisher->send_report();
  stage.world.run_for(61s);
  const auto& reports = stage.viewer().sender_reports;
  ASSERT_GE(reports.size(), 11U);
  for (std::size_t i = 1; i < reports.size(); ++i) {
    const double seconds =
        static_cast<double>(reports[i].ntp.value - reports[0].ntp.value) / 4294967296.0;
    const std::uint32_t ticks = reports[i].rtp.value - reports[0].rtp.value;
    EXPECT_NEAR(ticks / 90000.0, seconds, 0.001);
    EXPECT_LE(
        stage.viewer().sender_report_arrivals[i] - stage.viewer().sender_report_arrivals[i - 1],
        6s);
  }
}

TEST(Feedback, what_receivers_report_is_in_the_statistics) {
  Stage stage;
  stage.world.up.delay = 10ms;
  stage.world.down.delay = 40ms;
  stage.publisher->start();
  stage.publisher->send_report();
  stage.world.run_for(1s);
  EXPECT_EQ(stage.receiver().fraction_lost, std::nullopt);
  stage.viewer().send_report(64, 900);
  const std::array<std::uint16_t, 3> lost{10, 11, 30};
  stage.viewer().send_nack(lost);
  stage.world.run_for(100ms);
  const auto receiver = stage.receiver();
  EXPECT_EQ(receiver.fraction_lost, 0.25);
  EXPECT_EQ(receiver.jitter, 10ms);
  ASSERT_TRUE(receiver.round_trip);
  EXPECT_NEAR(std::chrono::duration<double>(*receiver.round_trip).count(), 0.05, 0.001);
  EXPECT_EQ(receiver.nacked_packets, 3U);
}

TEST(Feedback, rtcp_from_a_port_that_we_do_not_send_to_is_taken) {
  Stage stage;
  stage.publisher->start();
  stage.world.run_for(1s);
  stage.viewer().options.rtcp.port = 7777;
  stage.viewer().ask_by_picture_loss_indication();
  stage.world.run_for(100ms);
  EXPECT_EQ(stage.publisher->picture_loss_indications, 1U);
}

TEST(Feedback, to_a_source_without_rtcp_goes_to_the_port_above_its_rtp) {
  Stage stage;
  stage.publisher->start();
  stage.world.run_for(3s);
  EXPECT_GE(stage.publisher->reports.size(), 2U) << "attached at RTP port + 1";
  EXPECT_EQ(stage.publisher->cname.size(), 16U);
}

TEST(Feedback, to_a_source_follows_where_its_rtcp_comes_from) {
  Stage stage;
  stage.publisher->move_to(peer_address(1, 40000), peer_address(1, 47777));
  stage.publisher->start();
  stage.world.run_for(3s);
  EXPECT_EQ(stage.publisher->reports.size(), 0U);
  stage.publisher->send_report();
  stage.world.run_for(3s);
  EXPECT_GE(stage.publisher->reports.size(), 2U);
}

TEST(Feedback, replies_under_keys_of_their_own_are_understood) {
  World world;
  const auto source_key = make_key(1);
  const auto key = make_key(2);
  const auto reply_key = make_key(3);
  auto relay = camera("camera", &source_key);
  relay.to.push_back(screen(0, &key));
  relay.to[0].srtp->reply_keys.push_back(reply_key.clone());
  ASSERT_TRUE(world.engine.add_relay(std::move(relay)));
  Viewer viewer(world, at_screen(0), &key, &reply_key);
  Publisher publisher(world, at_camera(), &source_key);
  publisher.start();
  world.run_for(1s);
  viewer.ask_by_picture_loss_indication();
  world.run_for(1s);
  EXPECT_EQ(publisher.picture_loss_indications, 1U);
}

TEST(Feedback, a_receiver_with_a_fixed_address_that_says_goodbye_is_noted_and_still_served) {
  Stage stage;
  stage.publisher->start();
  stage.world.run_for(1s);
  stage.viewer().send_report();
  stage.viewer().send_goodbye();
  stage.viewer().send_goodbye();
  stage.world.run_for(1s);
  EXPECT_EQ(stage.world.count_events<relay::ReceiverLeft>(), 1U);
  EXPECT_GE(stage.viewer().packets.size(), 196U);
}

}  // namespace
}  // namespace runnel::simulation
