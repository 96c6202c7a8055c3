// How a browser's packets are told apart: by MID and RID, by announced SSRCs, by payload type.
#include "tests/simulation/browser_stage.h"

namespace runnel::simulation {
namespace {

class Learning : public BrowserStage {
 protected:
  Browser& publish(const std::function<void(Browser&)>& prepare, std::vector<std::string> rids) {
    Browser& browser = add(1);
    prepare(browser);
    EXPECT_TRUE(world_.engine.add_relay(
        {.stream = "camera", .from = browser.source_leg(std::move(rids)), .to = {}}));
    browser.start_sending();
    world_.run_for(1s);
    return browser;
  }
  static void add_one(Browser& browser) {
    browser.encodings.push_back({.ssrc = 0x1111, .retransmission_ssrc = 0x1112});
  }
};

TEST_F(Learning, rids_are_remembered_when_the_publisher_ceases_to_send_them) {
  Browser& camera = simulcaster();
  Browser& screen = viewer(2);
  world_.run_for(2s);
  camera.loses_every = 8;
  world_.run_for(4s);
  camera.loses_every = 0;
  world_.run_for(1s);
  EXPECT_GT(camera.encodings[2].repeated, camera.names_packets);
  expect_continuous(got_by(screen, 0));
  EXPECT_EQ(source().drops[DropReason::unknown_ssrc], 0U);
}

TEST_F(Learning, a_publisher_without_mids_is_known_by_its_payload_type) {
  Browser& camera = publish(
      [](Browser& browser) {
        add_one(browser);
        browser.names_packets = 0;
      },
      {});
  Browser& screen = viewer(2);
  world_.run_for(1s);
  camera.loses_every = 10;
  world_.run_for(2s);
  camera.loses_every = 0;
  world_.run_for(1s);
  expect_continuous(got_by(screen, 0));
  EXPECT_GT(camera.nacked, 5U);
}

TEST_F(Learning, announced_ssrcs_and_their_groups_are_known_without_mid_and_rid) {
  publish(
      [](Browser& browser) {
        add_encodings(browser);
        browser.names_packets = 0;
        browser.adjust = [](relay::WebRtcMedium& medium) {
          if (medium.rids.empty()) return;
          medium.ssrcs = {{0x1000, 0x1001}, {0x1100, 0x1101}, {0x1200, 0x1201}};
        };
      },
      {"l", "m", "h"});
  Browser& screen = viewer(2);
  world_.run_for(3s);
  EXPECT_EQ(statistics_of(0).rid, "h");
  EXPECT_EQ(source().encodings.at(0).ssrc, 0x1000U);
  EXPECT_EQ(source().encodings.at(2).ssrc, 0x1200U);
  expect_continuous(got_by(screen, 0));
}

TEST_F(Learning, unknown_payload_types_are_counted_and_never_shown) {
  Browser& camera = publisher();
  Browser& screen = viewer(2);
  world_.run_for(1s);
  const std::uint64_t before = source().drops[DropReason::unknown_payload_type];
  SentEncoding stranger{.ssrc = 0x7777};
  stranger.sent = camera.encodings[0].sent;
  for (auto& [number, packet] : stranger.sent) rtp::set_ssrc(packet, stranger.ssrc);
  for (int i = 0; i < 5; ++i) {
    camera.send_other_type(stranger, 112);
    ++stranger.sequence_number;
  }
  world_.run_for(1s);
  EXPECT_EQ(source().drops[DropReason::unknown_payload_type], before + 5);
  expect_continuous(got_by(screen, 0));
}

TEST_F(Learning, padding_and_repetitions_that_probe_the_path_are_never_shown) {
  Browser& camera = publisher();
  Browser& screen = viewer(2);
  world_.run_for(1s);
  SentEncoding& encoding = camera.encodings[0];
  const std::uint64_t before = got_by(screen, 0).packets;
  const std::uint64_t sent_before = encoding.packets;
  for (int i = 0; i < 20; ++i) {
    camera.probe_by_retransmission(encoding);
    camera.send_again(encoding, static_cast<std::uint16_t>(encoding.sequence_number - 5));
    world_.run_for(10ms);
  }
  world_.run_for(1s);
  const std::uint64_t sent = encoding.packets - sent_before;
  EXPECT_NEAR(static_cast<double>(got_by(screen, 0).packets - before), static_cast<double>(sent),
              3);
  EXPECT_GE(source().drops[DropReason::probe], 20U);
  EXPECT_GE(source().drops[DropReason::duplicate_retransmission], 20U);
  EXPECT_EQ(source().drops[DropReason::replayed], 0U) << "nobody has copied a packet";
  expect_continuous(got_by(screen, 0));
}

TEST_F(Learning, padding_among_the_media_keeps_the_numbers_whole_and_carries_nothing) {
  Browser& camera = publisher();
  Browser& screen = viewer(2);
  world_.run_for(1s);
  for (int i = 0; i < 10; ++i) {
    camera.probe_by_media(camera.encodings[0]);
    world_.run_for(100ms);
  }
  const Received& got = got_by(screen, 0);
  expect_continuous(got);
  const auto empty = std::ranges::count_if(
      got.in_order, [](const auto& entry) { return entry.second.payload_size == 0; });
  EXPECT_EQ(empty, 10);
}

TEST_F(Learning, two_publications_and_two_subscriptions_of_one_peer_are_told_apart_by_mid) {
  Browser& both = add(1);
  both.encodings.push_back({.mid = "a", .ssrc = 0x1111, .retransmission_ssrc = 0x1112});
  both.encodings.push_back(
      {.mid = "b", .ssrc = 0x2221, .retransmission_ssrc = 0x2222, .height = 720});
  for (const char* mid : {"a", "b"}) {
    both.mid = mid;
    ASSERT_TRUE(world_.engine.add_relay({.stream = mid, .from = both.source_leg(), .to = {}}));
  }
  both.start_sending();
  Browser& screen = add(2);
  ASSERT_TRUE(world_.engine.add_receiver(0, screen.receiver_leg("x")));
  ASSERT_TRUE(world_.engine.add_receiver(1, screen.receiver_leg("y")));
  EXPECT_EQ(world_.engine.add_receiver(1, screen.receiver_leg("y")).error(),
            relay::RelayError::duplicate_mid);
  world_.drain();
  world_.run_for(2s);
  const Received& first = screen.received[world_.engine.receiver_ssrc({0, 0, 0})];
  const Received& second = screen.received[world_.engine.receiver_ssrc({1, 0, 0})];
  EXPECT_EQ(first.mid, "x");
  EXPECT_EQ(second.mid, "y");
  EXPECT_EQ(first.heights.back(), 360U);
  EXPECT_EQ(second.heights.back(), 720U);
  expect_continuous(first);
  expect_continuous(second);
}

TEST_F(Learning, what_is_left_of_a_publication_never_flows_into_another_of_the_same_peer) {
  Browser& both = add(1);
  both.encodings.push_back({.mid = "a", .ssrc = 0x1111, .retransmission_ssrc = 0x1112});
  both.encodings.push_back(
      {.mid = "b", .ssrc = 0x2221, .retransmission_ssrc = 0x2222, .height = 720});
  for (const char* mid : {"a", "b"}) {
    both.mid = mid;
    ASSERT_TRUE(world_.engine.add_relay({.stream = mid, .from = both.source_leg(), .to = {}}));
  }
  both.start_sending();
  Browser& screen = viewer(2);
  world_.run_for(2s);
  world_.engine.remove_relay(1);
  world_.drain();
  // It goes on sending both, and a third that is not published yet.
  both.encodings.push_back(
      {.mid = "c", .ssrc = 0x3331, .retransmission_ssrc = 0x3332, .height = 720});
  world_.run_for(2s);
  const Received& got = got_by(screen, 0);
  expect_continuous(got);
  EXPECT_EQ(got.heights.back(), 360U);
  EXPECT_EQ(source().ssrc, 0x1111U);
  EXPECT_EQ(source().restarts, 0U);
  EXPECT_GT(source().drops[DropReason::unknown_ssrc], 50U);

  // The one that has ceased may be published again under the SSRC that it had.
  both.mid = "b";
  both.encodings[1].packets = 0;
  ASSERT_TRUE(world_.engine.add_relay({.stream = "b", .from = both.source_leg(), .to = {}}));
  world_.run_for(1s);
  EXPECT_EQ(source(1).ssrc, 0x2221U);
}

TEST_F(Learning, a_publication_that_ends_while_arrivals_wait_to_be_told_costs_no_wake_ups) {
  Browser& both = add(1);
  both.encodings.push_back({.mid = "a", .ssrc = 0x1111, .retransmission_ssrc = 0x1112});
  for (const char* mid : {"a", "b"}) {
    both.mid = mid;
    ASSERT_TRUE(world_.engine.add_relay({.stream = mid, .from = both.source_leg(), .to = {}}));
  }
  both.start_sending();
  world_.run_for(1s);
  both.stop_sending();
  world_.run_for(10ms);
  world_.engine.remove_relay(0);
  world_.drain();
  const std::uint64_t before = world_.wake_ups;
  world_.run_for(1s);
  EXPECT_LT(world_.wake_ups - before, 50U);
}

TEST_F(Learning, more_ssrcs_than_there_is_room_for_push_out_their_own_kind_alone) {
  Browser& camera = publisher();
  Browser& screen = viewer(2);
  const std::size_t limit = relay::EngineLimits{}.ssrcs_per_leg;
  for (std::size_t i = 0; i < limit + 10; ++i) {
    camera.encodings[0] = {.ssrc = static_cast<std::uint32_t>(0x10'0000 + i),
                           .retransmission_ssrc = static_cast<std::uint32_t>(0x20'0000 + i)};
    world_.run_for(70ms);
  }
  world_.run_for(1s);
  EXPECT_EQ(source().ssrc, 0x10'0000 + limit + 9);
  EXPECT_EQ(source().drops[DropReason::too_many_ssrcs], 0U);
  expect_continuous(got_by(screen, 0));
}

}  // namespace
}  // namespace runnel::simulation
