// Publishers that leave, come back, and take each other's place, while their viewers stay.
#include "tests/simulation/browser_stage.h"

namespace runnel::simulation {
namespace {

using Returns = BrowserStage;

TEST_F(Returns, a_publisher_that_is_back_in_time_finds_its_viewers_who_notice_nothing) {
  Browser& camera = publisher();
  Browser& screen = viewer(2);
  world_.run_for(2s);
  const std::uint32_t ssrc = ssrc_of(0);
  camera.stop_sending();
  world_.engine.detach_source(0);
  world_.transports->remove(camera.id);
  world_.drain();
  world_.run_for(4s);

  Browser& again = add(9);
  again.payload_type = 120;
  again.retransmission_type = 121;
  again.encodings.push_back({.ssrc = 0x9991, .retransmission_ssrc = 0x9992});
  again.encodings[0].sequence_number = 65'500;
  again.encodings[0].timestamp = 0xffff'0000;
  again.encodings[0].picture_id = 77;
  take_over(again.source_leg());
  again.start_sending();
  world_.run_for(3s);

  EXPECT_EQ(ssrc_of(0), ssrc);
  const Received& got = got_by(screen, 0);
  expect_continuous(got);
  EXPECT_EQ(got.payload_type, 96);
  EXPECT_GE(got.key_frames, 2U);
  EXPECT_LT(world_.now - got.arrivals.back(), 100ms);
}

TEST_F(Returns, another_publisher_takes_over_while_the_first_still_sends) {
  publisher();
  Browser& screen = viewer(2);
  world_.run_for(2s);
  Browser& other = add(9);
  other.encodings.push_back({.ssrc = 0x9991, .retransmission_ssrc = 0x9992});
  other.encodings[0].height = 720;
  other.start_sending();
  world_.run_for(1s);  // it is in the middle of its pictures
  take_over(other.source_leg());
  world_.run_for(2s);
  const Received& got = got_by(screen, 0);
  expect_continuous(got);
  EXPECT_EQ(got.heights.back(), 720U);
}

TEST_F(Returns, nothing_of_another_source_is_shown_before_its_key_frame) {
  publisher();
  Browser& screen = viewer(2);
  world_.run_for(2s);
  Browser& other = add(9);
  other.encodings.push_back({.ssrc = 0x9991, .retransmission_ssrc = 0x9992});
  other.encodings[0].wants_key_frame = false;
  other.encodings[0].height = 720;
  other.start_sending();
  world_.run_for(1s);
  const std::size_t before = got_by(screen, 0).in_order.size();
  take_over(other.source_leg());
  world_.run_for(2s);
  const Received& got = got_by(screen, 0);
  auto first = got.in_order.begin();
  std::advance(first, static_cast<std::ptrdiff_t>(before));
  while (first != got.in_order.end() && first->second.payload_size == 360) ++first;
  ASSERT_NE(first, got.in_order.end());
  EXPECT_TRUE(first->second.key);
  EXPECT_EQ(first->second.height, 720U);
  expect_continuous(got);
}

TEST_F(Returns, a_simulcast_publisher_is_replaced_by_a_plain_one_and_back) {
  Browser& camera = simulcaster();
  Browser& best = viewer(2);
  Browser& small = viewer(3, {.max_height = 200, .rid = {}});
  world_.run_for(3s);
  EXPECT_EQ(statistics_of(0).rid, "h");
  EXPECT_EQ(statistics_of(1).rid, "l");
  camera.stop_sending();

  Browser& plain = add(9);
  plain.encodings.push_back({.ssrc = 0x9991, .retransmission_ssrc = 0x9992});
  plain.encodings[0].height = 400;
  take_over(plain.source_leg());
  plain.start_sending();
  world_.run_for(3s);
  EXPECT_EQ(got_by(best, 0).heights.back(), 400U);
  EXPECT_EQ(got_by(small, 1).heights.back(), 400U);
  EXPECT_EQ(source().encodings.size(), 1U);
  plain.stop_sending();

  Browser& again = add(10);
  add_encodings(again, 0x2000);
  take_over(again.source_leg({"l", "m", "h"}));
  again.start_sending();
  world_.run_for(4s);
  EXPECT_EQ(statistics_of(0).rid, "h");
  EXPECT_EQ(statistics_of(1).rid, "l");
  expect_continuous(got_by(best, 0));
  expect_continuous(got_by(small, 1));
}

TEST_F(Returns, a_publisher_may_begin_anew_under_another_ssrc_of_the_same_peer) {
  Browser& camera = publisher();
  Browser& screen = viewer(2);
  world_.run_for(2s);
  camera.encodings[0] = {.ssrc = 0x3333, .retransmission_ssrc = 0x3334};
  world_.run_for(2s);
  camera.loses_every = 10;
  world_.run_for(2s);
  camera.loses_every = 0;
  world_.run_for(1s);
  expect_continuous(got_by(screen, 0));
  EXPECT_GT(camera.nacked, 5U);
}

TEST_F(Returns, a_viewer_that_was_paused_goes_on_with_a_key_frame) {
  publisher();
  Browser& screen = viewer(2);
  world_.run_for(2s);
  const std::size_t before = got_by(screen, 0).in_order.size();
  world_.engine.set_paused(0, 0, true);
  world_.drain();
  world_.run_for(1s);
  EXPECT_LE(got_by(screen, 0).in_order.size(), before + 2);
  const std::size_t paused_at = got_by(screen, 0).in_order.size();
  world_.engine.set_paused(0, 0, false);
  world_.drain();
  world_.run_for(1s);
  const Received& got = got_by(screen, 0);
  ASSERT_GT(got.in_order.size(), paused_at + 20);
  EXPECT_TRUE(std::next(got.in_order.begin(), static_cast<std::ptrdiff_t>(paused_at))->second.key);
  expect_continuous(got);
}

TEST_F(Returns, peers_come_and_go_in_every_order_and_leave_nothing_behind) {
  for (int round = 0; round < 6; ++round) {
    const auto base = static_cast<std::uint16_t>(20 + 10 * round);
    Browser& camera = add(base);
    camera.encodings.push_back({.ssrc = 0x1111, .retransmission_ssrc = 0x1112});
    const auto relay =
        world_.engine.add_relay({.stream = "camera", .from = camera.source_leg(), .to = {}});
    ASSERT_TRUE(relay);
    camera.start_sending();
    Browser& one = add(static_cast<std::uint16_t>(base + 1));
    Browser& other = add(static_cast<std::uint16_t>(base + 2));
    ASSERT_TRUE(world_.engine.add_receiver(*relay, one.receiver_leg("v0")));
    ASSERT_TRUE(world_.engine.add_receiver(*relay, other.receiver_leg("v0")));
    world_.drain();
    world_.run_for(1s);
    const auto end = [&](int what) {
      if (what == 0) world_.engine.detach_source(*relay);
      if (what == 1) world_.engine.remove_receiver(*relay, 0);
      if (what == 2) world_.engine.remove_receiver(*relay, 1);
    };
    const int orders[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    for (const int what : orders[round]) {
      end(what);
      world_.drain();
      world_.run_for(200ms);
    }
    world_.engine.remove_relay(*relay);
    for (Browser* browser : {&camera, &one, &other}) world_.transports->remove(browser->id);
    world_.drain();
    camera.stop_sending();
    world_.run_for(1s);
    EXPECT_EQ(world_.engine.relay_count(), 0U);
    EXPECT_EQ(world_.transports->size(), 0U);
  }
}

}  // namespace
}  // namespace runnel::simulation
