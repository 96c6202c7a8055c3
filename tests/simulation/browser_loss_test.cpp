// Networks that lose, duplicate and reorder between browsers.
#include "tests/simulation/browser_stage.h"

namespace runnel::simulation {
namespace {

class Losses : public BrowserStage {
 protected:
  void make_bad(double loss) {
    for (Link* link : {&world_.up, &world_.down}) {
      link->loss = loss;
      link->duplication = 0.02;
      link->reordering = 0.03;
      link->jitter = 3ms;
    }
  }
  void make_good() { world_.up = world_.down = {}; }
  void repair(Browser& screen, std::size_t receiver) {
    screen.repair(ssrc_of(receiver), world_.engine.retransmission_ssrc({0, receiver, 0}));
  }
};

/// For a seed each.
class RandomLosses : public Losses, public testing::WithParamInterface<int> {};

TEST_P(RandomLosses, are_made_good_both_ways) {
  Browser& camera = publisher();
  Browser& screen = viewer(2);
  world_.run_for(1s);
  repair(screen, 0);
  for (int i = 0; i < GetParam(); ++i) static_cast<void>(camera.random.u32());
  make_bad(0.02 * GetParam());
  world_.run_for(10s);
  make_good();
  world_.run_for(1s);
  expect_continuous(got_by(screen, 0), 3);
  EXPECT_GT(got_by(screen, 0).in_order.size(), 500U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomLosses, testing::Values(1, 2, 3, 4, 5));

TEST_F(Losses, without_a_stream_of_their_own_retransmissions_are_the_same_packets_to_the_last_bit) {
  Browser& camera = publisher();
  Browser& screen = add(2);
  screen.adjust = [](relay::WebRtcMedium& medium) {
    medium.retransmission_payload_type.reset();
    medium.extensions.set(rtp::ExtensionKind::absolute_send_time, 5);
  };
  watch(screen);
  world_.run_for(1s);
  repair(screen, 0);
  make_bad(0.08);
  world_.run_for(5s);
  // Over an interruption, another source, and back.
  world_.engine.set_paused(0, 0, true);
  world_.drain();
  world_.run_for(500ms);
  world_.engine.set_paused(0, 0, false);
  world_.drain();
  world_.run_for(2s);
  world_.up = {};  // what the old one lost at its end cannot be asked for under the new one
  world_.run_for(500ms);
  camera.encodings[0] = {.ssrc = 0x5551, .retransmission_ssrc = 0x5552, .picture_id = 100};
  world_.run_for(5s);
  make_good();
  world_.run_for(1s);
  EXPECT_GT(audit_.repeated, 20U);
  expect_continuous(got_by(screen, 0), 3);
}

TEST_F(Losses, a_key_frame_whose_packets_arrive_in_another_order_is_whole_for_who_waits_for_it) {
  Browser& camera = simulcaster();
  Browser& screen = add(2);
  screen.adjust = [](relay::WebRtcMedium& medium) { medium.retransmission_payload_type.reset(); };
  watch(screen);
  world_.run_for(2s);
  repair(screen, 0);
  world_.up.jitter = 8ms;
  std::uint64_t switches = 0;
  for (const char* rid : {"l", "m", "h", "m", "l", "h", "l", "h", "m", "h", "l", "m"}) {
    world_.engine.set_layers({0, 0, 0}, {.max_height = std::nullopt, .rid = rid});
    world_.drain();
    world_.run_for(1s);
    switches += statistics_of(0).rid == rid ? 1 : 0;
  }
  EXPECT_EQ(switches, 12U);
  world_.up.jitter = {};
  world_.run_for(1s);
  static_cast<void>(camera);
  expect_continuous(got_by(screen, 0), 3);
}

TEST_F(Losses, a_switch_whose_key_frame_loses_its_first_packet_happens_all_the_same) {
  Browser& camera = simulcaster();
  Browser& screen = viewer(2, {.max_height = 200, .rid = {}});
  world_.run_for(2s);
  repair(screen, 0);
  for (int round = 0; round < 5; ++round) {
    for (const std::size_t encoding : {2U, 0U}) {
      world_.engine.set_layers({0, 0, 0},
                               {.max_height = std::nullopt, .rid = encoding == 2 ? "h" : "l"});
      world_.drain();
      world_.run_for(2ms);
      camera.encodings[encoding].loses_next = static_cast<std::uint64_t>(1 + round % 2);
      world_.run_for(2s);
      EXPECT_EQ(statistics_of(0).rid, encoding == 2 ? "h" : "l");
    }
  }
  world_.run_for(1s);
  expect_continuous(got_by(screen, 0), 3);
}

TEST_F(Losses, numbers_wrap_in_the_middle_of_switches) {
  Browser& camera = add(1);
  add_encodings(camera);
  for (SentEncoding& encoding : camera.encodings) {
    encoding.sequence_number = 65'400;
    encoding.timestamp = 0xffff'0000;
    encoding.picture_id = 0x7ff0;
  }
  ASSERT_TRUE(world_.engine.add_relay(
      {.stream = "camera", .from = camera.source_leg({"l", "m", "h"}), .to = {}}));
  camera.start_sending();
  Browser& screen = viewer(2);
  world_.run_for(1s);
  repair(screen, 0);
  make_bad(0.02);
  for (std::size_t i = 0; i < 12; ++i) {
    constexpr std::array kRids{"l", "h", "m"};
    world_.engine.set_layers({0, 0, 0}, {.max_height = std::nullopt, .rid = kRids[i % 3]});
    world_.drain();
    world_.run_for(400ms);
  }
  make_good();
  world_.run_for(1s);
  expect_continuous(got_by(screen, 0), 3);
}

TEST_F(Losses, a_flood_of_requests_brings_no_flood_of_packets) {
  publisher();
  Browser& screen = viewer(2);
  world_.run_for(2s);
  const std::uint32_t ssrc = ssrc_of(0);
  const std::uint64_t before = statistics_of(0).bytes;
  const std::uint64_t packets_before = statistics_of(0).packets;
  for (int i = 0; i < 1000; ++i) {
    std::vector<std::uint16_t> lost;
    const auto& numbers = screen.received[ssrc].sequence_numbers;
    for (std::size_t k = 0; k < 60; ++k) lost.push_back(numbers[numbers.size() - 60 + k]);
    screen.report_lost(ssrc, lost);
    if (i % 10 == 9) world_.run_for(20ms);
  }
  world_.run_for(100ms);
  const relay::ReceiverMediumStatistics after = statistics_of(0);
  EXPECT_EQ(after.nacked_packets, 60'000U);
  EXPECT_LT(after.retransmitted_packets, 1'000U);
  EXPECT_GT(after.packets, packets_before + 50);
  EXPECT_LT(after.bytes - before, 600'000U);
  EXPECT_GE(after.drops[DropReason::queue_full], 0U);
}

class SmallQueues : public BrowserStage {
 protected:
  SmallQueues() : BrowserStage({.retransmissions = 4}) {}
};

TEST_F(SmallQueues, what_finds_no_room_among_retransmissions_is_counted) {
  publisher();
  Browser& screen = viewer(2);
  world_.run_for(2s);
  const std::uint32_t ssrc = ssrc_of(0);
  const std::vector<std::uint16_t> numbers = screen.received[ssrc].sequence_numbers;
  const auto last = [&](std::size_t count) {
    return std::vector<std::uint16_t>(numbers.end() - static_cast<std::ptrdiff_t>(count),
                                      numbers.end());
  };
  screen.report_lost(ssrc, last(4));
  world_.run_for(100ms);
  EXPECT_EQ(statistics_of(0).retransmitted_packets, 4U);
  EXPECT_EQ(statistics_of(0).drops[DropReason::queue_full], 0U);
  screen.report_lost(ssrc, last(5));
  world_.run_for(100ms);
  EXPECT_EQ(statistics_of(0).retransmitted_packets, 8U);
  EXPECT_EQ(statistics_of(0).drops[DropReason::queue_full], 1U);
}

}  // namespace
}  // namespace runnel::simulation
