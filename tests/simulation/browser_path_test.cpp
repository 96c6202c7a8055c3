// What happens to a browser's connection while media flows, and how it may speak of it.
#include "tests/simulation/browser_stage.h"

namespace runnel::simulation {
namespace {

using Paths = BrowserStage;

template <typename T>
std::size_t count(const World& world) {
  return static_cast<std::size_t>(std::ranges::count_if(
      world.peer_events, [](const auto& event) { return std::holds_alternative<T>(event); }));
}

TEST_F(Paths, media_goes_on_when_the_network_gives_both_ends_other_addresses) {
  Browser& camera = publisher();
  Browser& screen = viewer(2);
  world_.run_for(1s);
  screen.repair(ssrc_of(0), world_.engine.retransmission_ssrc({0, 0, 0}));
  camera.move_to(peer_address(1, 50'001));
  camera.check();
  screen.move_to(peer_address(2, 50'002));
  screen.check();
  world_.run_for(2s);
  EXPECT_EQ(count<transport::PeerMoved>(world_), 2U);
  EXPECT_LT(world_.now - got_by(screen, 0).arrivals.back(), 100ms);
  expect_continuous(got_by(screen, 0), 3);
}

TEST_F(Paths, media_goes_on_over_an_ice_restart) {
  Browser& camera = publisher();
  Browser& screen = viewer(2);
  world_.run_for(1s);
  camera.restart();
  screen.restart();
  world_.run_for(2s);
  EXPECT_LT(world_.now - got_by(screen, 0).arrivals.back(), 100ms);
  expect_continuous(got_by(screen, 0));
}

TEST_F(Paths, a_viewer_that_is_lost_gets_nothing_more_and_may_come_again_as_another_peer) {
  publisher();
  Browser& screen = viewer(2);
  world_.run_for(1s);
  screen.go_silent();
  world_.run_for(40s);
  EXPECT_EQ(count<transport::PeerEnded>(world_), 1U);
  EXPECT_EQ(statistics_of(0).withheld, relay::Withheld::no_destination);
  const std::uint64_t packets = statistics_of(0).packets;
  world_.run_for(1s);
  EXPECT_EQ(statistics_of(0).packets, packets);

  world_.engine.remove_receiver(0, 0);
  world_.drain();
  world_.transports->remove(screen.id);
  Browser& again = viewer(3);
  world_.run_for(2s);
  const std::uint32_t ssrc = world_.engine.receiver_ssrc({0, 0, 0});
  EXPECT_GE(again.received[ssrc].key_frames, 1U);
  expect_continuous(again.received[ssrc]);
}

TEST_F(Paths, to_a_viewer_whose_connection_was_closed_nothing_is_sent_until_it_is_heard_again) {
  publisher();
  Browser& screen = viewer(2);
  world_.run_for(1s);
  world_.engine.handle_closed_path(world_.now, *world_.transports->destination(screen.id));
  world_.drain();
  EXPECT_EQ(statistics_of(0).withheld, relay::Withheld::no_destination);
  screen.check();
  world_.run_for(1s);
  EXPECT_EQ(statistics_of(0).withheld, std::nullopt);
  EXPECT_EQ(count<transport::PeerPathClosed>(world_), 1U);
  EXPECT_EQ(world_.count_events<relay::ReceiverUnreachable>(), 0U);
}

TEST_F(Paths, a_publisher_that_is_lost_stalls_and_ends_and_its_viewers_go_on_with_the_next) {
  Browser& camera = publisher();
  Browser& screen = viewer(2);
  world_.run_for(1s);
  camera.go_silent();
  world_.run_for(40s);
  EXPECT_EQ(world_.count_events<relay::TrackStalled>(), 1U);
  EXPECT_EQ(world_.count_events<relay::TrackEnded>(), 1U);
  EXPECT_EQ(count<transport::PeerEnded>(world_), 1U);
  Browser& other = add(9);
  other.encodings.push_back({.ssrc = 0x9991, .retransmission_ssrc = 0x9992});
  take_over(other.source_leg());
  world_.transports->remove(camera.id);
  other.start_sending();
  world_.run_for(2s);
  EXPECT_LT(world_.now - got_by(screen, 0).arrivals.back(), 100ms);
  expect_continuous(got_by(screen, 0));
}

TEST_F(Paths, who_takes_no_transport_wide_feedback_is_told_a_bitrate) {
  Browser& camera = add(1);
  camera.adjust = [](relay::WebRtcMedium& medium) {
    medium.feedback.transport_wide = false;
    medium.feedback.remb = true;
  };
  camera.encodings.push_back({.ssrc = 0x1111, .retransmission_ssrc = 0x1112});
  ASSERT_TRUE(world_.engine.add_relay({.stream = "camera", .from = camera.source_leg(), .to = {}}));
  camera.start_sending();
  world_.run_for(3s);
  ASSERT_TRUE(camera.allowance);
  EXPECT_NEAR(static_cast<double>(*camera.allowance), 8e6, 1e5);
  EXPECT_EQ(camera.transport_feedbacks, 0U);
}

TEST_F(Paths, key_frames_are_asked_for_by_fir_where_pli_is_not_agreed) {
  Browser& camera = add(1);
  camera.adjust = [](relay::WebRtcMedium& medium) {
    medium.feedback.picture_loss = false;
    medium.feedback.intra_request = true;
  };
  camera.encodings.push_back({.ssrc = 0x1111, .retransmission_ssrc = 0x1112});
  ASSERT_TRUE(world_.engine.add_relay({.stream = "camera", .from = camera.source_leg(), .to = {}}));
  camera.start_sending();
  world_.run_for(1s);
  Browser& screen = viewer(2);
  world_.run_for(1s);
  EXPECT_GE(camera.intra_requests, 1U);
  EXPECT_GE(got_by(screen, 0).key_frames, 1U);
  const std::uint64_t before = camera.intra_requests;
  screen.ask_by_full_intra_request(ssrc_of(0));
  world_.run_for(1s);
  EXPECT_EQ(camera.intra_requests, before + 1);
  EXPECT_EQ(statistics_of(0).key_frame_requests, 1U);
}

TEST_F(Paths, requests_that_a_key_frame_has_answered_cost_no_other_one) {
  Browser& camera = publisher();
  world_.run_for(2s);
  const std::uint64_t before = camera.encodings[0].key_frames_asked;
  for (std::uint16_t i = 0; i < 20; ++i) viewer(static_cast<std::uint16_t>(100 + i));
  world_.run_for(3s);
  EXPECT_LE(camera.encodings[0].key_frames_asked - before, 2U);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_GE(got_by(*browsers_[1 + i], i).key_frames, 1U);
}

TEST_F(Paths, a_browser_may_publish_again_what_it_gets_under_the_same_ssrc) {
  publisher();
  Browser& screen = viewer(2);
  world_.run_for(1s);
  screen.encodings.push_back({.ssrc = ssrc_of(0), .retransmission_ssrc = 0x8888});
  ASSERT_TRUE(world_.engine.add_relay({.stream = "again", .from = screen.source_leg(), .to = {}}));
  screen.start_sending();
  world_.run_for(1s);
  EXPECT_GT(source(1).packets, 30U);
}

TEST_F(Paths, packets_as_long_as_they_may_be_are_refused_where_their_header_grows_too_long) {
  Browser& camera = publisher();
  Browser& screen = viewer(2);
  world_.run_for(1s);
  camera.encodings[0].height = 1'800;
  world_.run_for(200ms);
  EXPECT_EQ(statistics_of(0).drops[DropReason::too_long_to_protect], 0U);
  camera.encodings[0].height = 1'930;
  world_.run_for(200ms);
  EXPECT_GT(statistics_of(0).drops[DropReason::too_long_to_protect], 5U);
  camera.encodings[0].height = 360;
  world_.run_for(1s);
  EXPECT_LT(world_.now - got_by(screen, 0).arrivals.back(), 100ms);
}

TEST_F(Paths, whoever_is_there_when_all_ends_is_not_told_twice) {
  publisher();
  viewer(2);
  world_.run_for(1s);
  world_.shut_down();
  const std::uint64_t before = world_.wake_ups;
  world_.run_for(5s);
  EXPECT_LT(world_.wake_ups - before, 1'000U);
  EXPECT_FALSE(world_.engine.next_timeout());
}

}  // namespace
}  // namespace runnel::simulation
