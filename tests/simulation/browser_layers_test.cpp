// Simulcast: which of several encodings viewers get while encodings, wishes and viewers change.
#include <random>

#include "tests/simulation/browser_stage.h"

namespace runnel::simulation {
namespace {

using Layers = BrowserStage;

/// After time to settle, what each wish stands for among the encodings that flow.
std::string expected_rid(const relay::LayerWish& wish, const Browser& camera,
                         const std::string& present) {
  if (!wish.rid.empty()) {
    const auto wished = std::ranges::find(camera.encodings, wish.rid, &SentEncoding::rid);
    return wished->active ? wish.rid : present;
  }
  std::string best;
  std::string lowest;
  for (const SentEncoding& encoding : camera.encodings) {
    if (!encoding.active) continue;
    if (lowest.empty()) lowest = encoding.rid;
    if (!wish.max_height || encoding.height <= *wish.max_height) best = encoding.rid;
  }
  return best.empty() ? lowest : best;
}

TEST_F(Layers, each_viewer_has_what_it_wishes_while_encodings_and_wishes_change) {
  Browser& camera = simulcaster();
  std::mt19937 dice(7);
  std::vector<Browser*> screens;
  std::vector<relay::LayerWish> wishes(6);
  for (std::uint16_t i = 0; i < 6; ++i)
    screens.push_back(&viewer(static_cast<std::uint16_t>(2 + i)));
  world_.run_for(2s);
  for (int round = 0; round < 15; ++round) {
    SentEncoding& changed = camera.encodings[dice() % 3];
    changed.active = !changed.active;
    if (std::ranges::none_of(camera.encodings, &SentEncoding::active)) changed.active = true;
    const std::size_t who = dice() % wishes.size();
    switch (dice() % 4) {
      case 0:
        wishes[who] = {};
        break;
      case 1:
        wishes[who] = {.max_height = 400, .rid = {}};
        break;
      case 2:
        wishes[who] = {.max_height = 100, .rid = {}};
        break;
      default:
        wishes[who] = {.max_height = std::nullopt, .rid = "m"};
    }
    world_.engine.set_layers({0, who, 0}, wishes[who]);
    world_.drain();
    world_.run_for(4s);
    for (std::size_t i = 0; i < screens.size(); ++i) {
      const relay::ReceiverMediumStatistics statistics = statistics_of(i);
      EXPECT_EQ(statistics.rid, expected_rid(wishes[i], camera, statistics.rid))
          << "viewer " << i << " in round " << round;
    }
  }
  for (std::size_t i = 0; i < screens.size(); ++i) expect_continuous(got_by(*screens[i], i));
}

TEST_F(Layers, the_end_of_one_encoding_by_bye_leads_its_viewers_on_at_once) {
  Browser& camera = simulcaster();
  Browser& screen = viewer(2);
  world_.run_for(2s);
  EXPECT_EQ(statistics_of(0).rid, "h");
  camera.encodings[2].active = false;
  world_.run_for(20ms);
  camera.say_goodbye(camera.encodings[2].ssrc);
  world_.run_for(300ms);
  EXPECT_EQ(statistics_of(0).rid, "m");
  EXPECT_EQ(world_.count_events<relay::TrackEnded>(), 0U);
  expect_continuous(got_by(screen, 0));
}

TEST_F(Layers, a_switch_never_freezes_a_picture_for_half_a_second) {
  simulcaster();
  Browser& screen = viewer(2);
  world_.run_for(2s);
  for (const char* rid : {"l", "h", "m", "h", "l"}) {
    world_.engine.set_layers({0, 0, 0}, {.max_height = std::nullopt, .rid = rid});
    world_.drain();
    world_.run_for(1s);
    EXPECT_EQ(statistics_of(0).rid, rid);
  }
  const Received& got = got_by(screen, 0);
  expect_continuous(got);
  for (std::size_t i = 1; i < got.arrivals.size(); ++i) {
    EXPECT_LT(got.arrivals[i] - got.arrivals[i - 1], 500ms);
  }
}

TEST_F(Layers, sender_reports_keep_the_time_of_a_viewer_over_switches) {
  Browser& camera = simulcaster();
  Browser& screen = viewer(2);
  world_.run_for(1s);
  for (int i = 0; i < 4; ++i) {
    for (const SentEncoding& encoding : camera.encodings) camera.send_sender_report(encoding);
    world_.engine.set_layers({0, 0, 0}, {.max_height = i % 2 == 0 ? 200 : 2000, .rid = {}});
    world_.drain();
    world_.run_for(1s);
  }
  const Received& got = got_by(screen, 0);
  EXPECT_GE(got.sender_reports, 3U);
  // Each frame lasts 3000 ticks; a switch costs no more than the key frame's wait.
  expect_continuous(got);
  for (std::size_t i = 1; i < got.timestamps.size(); ++i) {
    EXPECT_LE(got.timestamps[i] - got.timestamps[i - 1], 30'000U);
  }
}

TEST_F(Layers, an_encoding_whose_size_is_never_shown_is_not_asked_for_key_frames_for_ever) {
  Browser& camera = simulcaster();
  for (SentEncoding& encoding : camera.encodings) encoding.active = false;
  camera.encodings[1].active = true;
  camera.encodings[1].height = 0;  // no size
  camera.encodings[1].width = 0;
  world_.run_for(20s);
  EXPECT_LE(camera.encodings[1].key_frames_asked, 5U);
}

TEST_F(Layers, figures_of_encodings_and_viewers_say_what_happens) {
  Browser& camera = simulcaster();
  viewer(2, {.max_height = 400, .rid = {}});
  world_.run_for(3s);
  const relay::SourceMediumStatistics medium = source();
  ASSERT_EQ(medium.encodings.size(), 3U);
  std::uint64_t bitrate = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const relay::EncodingStatistics& encoding = medium.encodings[i];
    EXPECT_EQ(encoding.rid, camera.encodings[i].rid);
    EXPECT_EQ(encoding.ssrc, camera.encodings[i].ssrc);
    EXPECT_TRUE(encoding.flowing);
    ASSERT_TRUE(encoding.picture_size);
    EXPECT_EQ(encoding.picture_size->height, camera.encodings[i].height);
    EXPECT_GT(encoding.packets, 100U);
    EXPECT_EQ(encoding.lost, 0);
    bitrate += encoding.bitrate;
  }
  EXPECT_GT(medium.encodings[2].bitrate, medium.encodings[0].bitrate);
  EXPECT_EQ(medium.bitrate, bitrate);
  EXPECT_EQ(medium.picture_size->height, 720U);
  EXPECT_EQ(statistics_of(0).rid, "m");
  EXPECT_EQ(statistics_of(0).withheld, std::nullopt);

  world_.engine.set_layers({0, 0, 0}, {.max_height = std::nullopt, .rid = "h"});
  EXPECT_EQ(statistics_of(0).next_rid, "h");
  world_.drain();
  camera.encodings[0].active = false;
  world_.run_for(3s);
  EXPECT_FALSE(source().encodings[0].flowing);
  EXPECT_EQ(source().encodings[0].bitrate, 0U);
  world_.engine.set_paused(0, 0, true);
  EXPECT_EQ(statistics_of(0).withheld, relay::Withheld::paused);
}

TEST_F(Layers, encodings_that_nobody_watches_are_no_packets_without_a_receiver) {
  simulcaster();
  world_.run_for(1s);
  const DropCounters before = source().drops;
  EXPECT_GT(before[DropReason::no_receiver], 0U);
  EXPECT_EQ(before[DropReason::layer_not_watched], 0U);
  viewer(2, {.max_height = std::nullopt, .rid = "l"});
  world_.run_for(3s);
  const DropCounters after = source().drops;
  EXPECT_EQ(after[DropReason::no_receiver], before[DropReason::no_receiver]);
  EXPECT_EQ(after.total() - before.total(), after[DropReason::layer_not_watched]);
  EXPECT_GT(after[DropReason::layer_not_watched], 100U);
}

TEST_F(Layers, of_what_its_publisher_does_not_send_a_viewer_is_not_said_to_await_a_key_frame) {
  Browser& camera = simulcaster();
  viewer(2, {.max_height = std::nullopt, .rid = "m"});
  world_.run_for(2s);
  EXPECT_EQ(statistics_of(0).withheld, std::nullopt);
  camera.encodings[1].active = false;
  world_.run_for(3s);
  EXPECT_EQ(statistics_of(0).withheld, relay::Withheld::source_is_silent) << "it wants m alone";
  world_.engine.set_layers({0, 0, 0}, {});
  world_.drain();
  EXPECT_EQ(statistics_of(0).withheld, relay::Withheld::waiting_for_key_frame);
  world_.run_for(2s);
  EXPECT_EQ(statistics_of(0).withheld, std::nullopt);
  camera.go_silent();
  world_.run_for(40s);
  EXPECT_EQ(statistics_of(0).withheld, relay::Withheld::source_is_silent);
}

TEST_F(Layers, a_viewer_that_comes_before_its_publisher_sends_is_told_so) {
  Browser& camera = add(1);
  add_encodings(camera);
  ASSERT_TRUE(world_.engine.add_relay(
      {.stream = "camera", .from = camera.source_leg({"l", "m", "h"}), .to = {}}));
  viewer(2);
  world_.run_for(2s);
  EXPECT_EQ(statistics_of(0).withheld, relay::Withheld::source_is_silent);
}

TEST_F(Layers, switches_losses_and_retransmissions_cost_no_memory_once_all_is_warm) {
  simulcaster();
  for (std::uint16_t i = 0; i < 4; ++i) {
    viewer(static_cast<std::uint16_t>(2 + i));
    world_.run_for(500ms);
    browsers_.back()->repair(ssrc_of(i), world_.engine.retransmission_ssrc({0, i, 0}));
  }
  world_.up.loss = world_.down.loss = 0.04;
  const auto switch_all = [this] {
    for (const char* rid : {"l", "m", "h"}) {
      for (std::size_t i = 0; i < 4; ++i) {
        world_.engine.set_layers({0, i, 0}, {.max_height = std::nullopt, .rid = rid});
      }
      world_.drain();
      world_.run_for(1s);
    }
  };
  switch_all();
  world_.allocations = 0;
  const std::uint64_t before = statistics_of(0).retransmitted_packets;
  switch_all();
  switch_all();
  EXPECT_EQ(world_.allocations, 0U);
  EXPECT_GT(statistics_of(0).retransmitted_packets, before);
}

TEST_F(Layers, a_viewer_that_has_not_connected_yet_is_said_to_be_nowhere) {
  publisher();
  Browser stranger(world_, 77);
  stranger.id = world_.transports->add(world_.now).value();
  ASSERT_TRUE(world_.engine.add_receiver(0, stranger.receiver_leg("v0")));
  world_.drain();
  world_.run_for(1s);
  EXPECT_EQ(statistics_of(0).withheld, relay::Withheld::no_destination);
  EXPECT_EQ(statistics_of(0).packets, 0U);
}

}  // namespace
}  // namespace runnel::simulation
