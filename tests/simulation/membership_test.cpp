// Streams and their viewers come and go while media flows.
#include <gtest/gtest.h>

#include "tests/simulation/live_stream.h"

namespace runnel::simulation {
namespace {

using relay::RelayError;

TEST_F(LiveStream, is_watched_by_whoever_comes_while_it_flows) {
  EXPECT_GE(source().drops[DropReason::no_receiver], 90U);
  EXPECT_EQ(join(0), 0U);
  world_.run_for(1s);
  EXPECT_EQ(join(1), 1U);
  world_.run_for(1s);
  EXPECT_GE(viewers_[0]->packets.size(), 190U);
  EXPECT_GE(viewers_[1]->packets.size(), 90U);
  EXPECT_EQ(publisher_->picture_loss_indications, 2U) << "each newcomer needs a key frame";
  for (const auto& viewer : viewers_) expect_flawless(*viewer);
  EXPECT_EQ(world_.engine.receiver_ssrc({0, 1, 0}), viewers_[1]->media_ssrc());
  EXPECT_NE(viewers_[0]->media_ssrc(), viewers_[1]->media_ssrc());
}

TEST_F(LiveStream, says_goodbye_to_a_viewer_that_is_removed_and_to_no_other) {
  const std::size_t first = join(0);
  join(1);
  world_.run_for(1s);
  const std::uint32_t ssrc = viewers_[0]->media_ssrc();
  world_.engine.remove_receiver(0, first);
  world_.drain();
  world_.run_for(1s);
  EXPECT_EQ(viewers_[0]->goodbyes, std::vector<std::uint32_t>{ssrc});
  EXPECT_EQ(viewers_[0]->refused, 0U);
  EXPECT_LE(viewers_[0]->packets.size(), 100U);
  EXPECT_TRUE(viewers_[1]->goodbyes.empty());
  EXPECT_GE(viewers_[1]->packets.size(), 190U);
  const auto statistics = world_.engine.statistics(0);
  ASSERT_EQ(statistics.to.size(), 1U);
  EXPECT_EQ(statistics.to[0].receiver, 1U);
  EXPECT_EQ(statistics.departed.packets, viewers_[0]->packets.size());
}

TEST_F(LiveStream,
       uses_the_number_of_a_removed_viewer_again_only_after_its_goodbye_and_its_events) {
  EXPECT_EQ(join(0), 0U);
  world_.run_for(1s);
  world_.engine.remove_receiver(0, 0);
  const auto at_once = world_.engine.add_receiver(0, screen(0, &viewer_key_));
  EXPECT_EQ(at_once, 1U) << "its port and its address are free, its number is not";
  EXPECT_EQ(world_.engine.medium_name(relay::ReceiverMediumId{0, 0, 0}), "video");
  relay::Outbox outbox;
  while (world_.engine.drain(outbox)) {
  }
  EXPECT_EQ(world_.engine.add_receiver(0, screen(1, &viewer_key_)), 2U)
      << "there may still be events that speak of it";
  world_.drain();
  EXPECT_EQ(world_.engine.medium_name(relay::ReceiverMediumId{0, 0, 0}), "video")
      << "whoever took them can look up its name";
  EXPECT_EQ(world_.engine.add_receiver(0, screen(2, &viewer_key_)), 0U);
}

TEST_F(LiveStream, that_is_removed_says_goodbye_to_everybody_and_leaves_its_name_to_others) {
  join(0);
  join(1);
  world_.run_for(1s);
  EXPECT_EQ(world_.engine.find_relay("camera"), 0U);
  world_.engine.remove_relay(0);
  EXPECT_EQ(world_.engine.find_relay("camera"), std::nullopt);
  EXPECT_EQ(world_.engine.relay_count(), 0U);
  EXPECT_TRUE(world_.engine.relays().empty());
  EXPECT_EQ(world_.engine.next_timeout(), std::nullopt);
  const auto again = world_.engine.add_relay(camera("camera", &source_key_));
  EXPECT_EQ(again, 1U);
  EXPECT_EQ(world_.engine.stream_name(0), "camera");
  world_.drain();
  world_.run_for(1s);
  EXPECT_EQ(publisher_->goodbyes, 1U);
  for (const auto& viewer : viewers_) {
    EXPECT_EQ(viewer->goodbyes.size(), 1U);
    EXPECT_EQ(viewer->refused, 0U);
  }
  EXPECT_GE(world_.engine.statistics(1).from[0].packets, 90U) << "it still sends, and is heard";
  EXPECT_EQ(world_.engine.find_relay("camera"), 1U);
  EXPECT_EQ(world_.engine.relays(), std::vector<std::size_t>{1});
  auto other = camera("other", nullptr);
  other.from.media[0].ports = {kOtherSource, std::nullopt};
  EXPECT_EQ(world_.engine.add_relay(std::move(other)), 0U);
}

TEST_F(LiveStream, pauses_for_a_viewer_and_goes_on_without_a_gap) {
  join(0);
  world_.run_for(1s);
  const std::uint64_t asked = publisher_->picture_loss_indications;
  world_.engine.set_paused(0, 0, true);
  world_.drain();
  world_.run_for(100ms);
  const std::size_t before = viewers_[0]->packets.size();
  const std::size_t reports = viewers_[0]->sender_reports.size();
  publisher_->send_report();
  world_.run_for(2s);
  EXPECT_EQ(viewers_[0]->packets.size(), before);
  EXPECT_EQ(viewers_[0]->sender_reports.size(), reports);
  EXPECT_TRUE(world_.engine.statistics(0).to[0].paused);
  EXPECT_GE(world_.engine.statistics(0).to[0].media[0].drops[DropReason::paused], 200U);
  world_.engine.set_paused(0, 0, false);
  world_.drain();
  world_.run_for(1s);
  EXPECT_EQ(publisher_->picture_loss_indications, asked + 1);
  ASSERT_GE(viewers_[0]->packets.size(), before + 90);
  const auto& last = viewers_[0]->packets[before - 1];
  const auto& next = viewers_[0]->packets[before];
  EXPECT_EQ(next.position, last.position + 1);
  EXPECT_GE(next.content.number, last.content.number + 200);
  expect_flawless(*viewers_[0]);
}

TEST_F(LiveStream, says_goodbye_to_a_paused_viewer_too) {
  join(0);
  world_.run_for(1s);
  world_.engine.set_paused(0, 0, true);
  world_.engine.remove_receiver(0, 0);
  world_.drain();
  world_.run_for(100ms);
  EXPECT_EQ(viewers_[0]->goodbyes.size(), 1U);
}

TEST_F(LiveStream, is_told_what_viewers_say_by_another_way_than_rtcp) {
  join(0);
  world_.run_for(1s);
  const std::uint64_t asked = publisher_->picture_loss_indications;
  world_.engine.request_key_frame({0, 0, 0});
  world_.engine.note_report(world_.now, {0, 0, 0},
                            {.fraction_lost = 0.25, .jitter = 3ms, .round_trip = std::nullopt});
  world_.engine.note_report(
      world_.now, {0, 0, 0},
      {.fraction_lost = std::nullopt, .jitter = std::nullopt, .round_trip = 40ms});
  world_.drain();
  world_.run_for(600ms);
  EXPECT_EQ(publisher_->picture_loss_indications, asked + 1);
  const auto receiver = world_.engine.statistics(0).to[0].media[0];
  EXPECT_EQ(receiver.key_frame_requests, 1U);
  EXPECT_EQ(receiver.fraction_lost, 0.25);
  EXPECT_EQ(receiver.jitter, Duration(3ms));
  EXPECT_EQ(receiver.round_trip, Duration(40ms));
}

TEST_F(LiveStream, takes_as_many_viewers_at_once_as_the_limit_and_not_one_more) {
  relay::EngineLimits limits;
  limits.receivers_per_relay = 2;
  World small(limits);
  ASSERT_TRUE(small.engine.add_relay(camera("camera", nullptr)));
  EXPECT_TRUE(small.engine.add_receiver(0, screen(0, nullptr)));
  EXPECT_TRUE(small.engine.add_receiver(0, screen(1, nullptr)));
  EXPECT_EQ(small.engine.add_receiver(0, screen(2, nullptr)).error(),
            RelayError::too_many_receivers);
  small.engine.remove_receiver(0, 0);
  EXPECT_TRUE(small.engine.add_receiver(0, screen(2, nullptr)));
}

TEST_F(LiveStream, can_end_between_a_removal_and_its_goodbyes) {
  join(0);
  world_.run_for(1s);
  world_.engine.remove_relay(0);
  world_.shut_down();
  world_.run_for(1s);
  EXPECT_EQ(viewers_[0]->goodbyes.size(), 1U);
  EXPECT_EQ(publisher_->goodbyes, 1U);
}

}  // namespace
}  // namespace runnel::simulation
