// One publisher of a stream after the other.
#include <gtest/gtest.h>

#include "tests/simulation/live_stream.h"

namespace runnel::simulation {
namespace {

using relay::RelayError;

TEST_F(LiveStream, goes_on_without_a_seam_when_its_publisher_is_replaced) {
  join(0);
  world_.run_for(1s);
  ASSERT_TRUE(world_.engine.replace_source(0, other_source()));
  world_.drain();
  Publisher next(world_, at_other_source(), &other_key_);
  number_after(next, *publisher_);
  const std::uint32_t first = next.packets;
  next.start();
  world_.run_for(2s);
  EXPECT_EQ(publisher_->goodbyes, 1U);
  EXPECT_EQ(source().ssrc, 0x77777777U);
  EXPECT_EQ(source().source, next.options.rtp);
  EXPECT_GE(viewers_[0]->packets.size(), 280U);
  EXPECT_EQ(viewers_[0]->ssrcs().size(), 1U);
  EXPECT_TRUE(viewers_[0]->goodbyes.empty());
  EXPECT_EQ(next.picture_loss_indications, 1U);
  EXPECT_EQ(next.faults, 0U);
  EXPECT_TRUE(viewers_[0]->numbers().contains(first));
  expect_flawless(*viewers_[0]);
  const auto restarts = world_.events_of<relay::SourceRestarted>();
  ASSERT_EQ(restarts.size(), 1U);
  EXPECT_EQ(restarts[0].old_ssrc, publisher_->options.ssrc);
  EXPECT_EQ(restarts[0].new_ssrc, 0x77777777U);
  EXPECT_GE(world_.engine.stray_drops()[DropReason::unknown_path], 190U)
      << "the old one sends to a port that is nobody's any more";
}

TEST_F(LiveStream, can_be_taken_over_by_the_same_program_on_the_same_port) {
  join(0);
  world_.run_for(1s);
  publisher_->stop();
  world_.run_for(100ms);
  ASSERT_TRUE(world_.engine.replace_source(0, camera("", &source_key_).from));
  world_.drain();
  Publisher next(world_, at_camera(), &source_key_);
  number_after(next, *publisher_);
  next.start();
  world_.run_for(1s);
  EXPECT_GE(viewers_[0]->packets.size(), 190U);
  EXPECT_EQ(viewers_[0]->ssrcs().size(), 1U);
  expect_flawless(*viewers_[0]);
}

TEST_F(LiveStream, in_the_clear_loses_no_packet_of_a_new_publisher) {
  auto clear = other_source();
  clear.srtp.reset();
  join(0);
  ASSERT_TRUE(world_.engine.replace_source(0, std::move(clear)));
  world_.drain();
  Publisher next(world_, at_other_source(), nullptr);
  number_after(next, *publisher_);
  const std::uint32_t first = next.packets;
  next.start();
  world_.run_for(1s);
  EXPECT_TRUE(viewers_[0]->numbers().contains(first));
  EXPECT_EQ(source().drops[DropReason::unknown_ssrc], 0U);
}

TEST_F(LiveStream, is_not_taken_over_by_other_media) {
  join(0);
  auto audio = other_source();
  audio.media[0].codec = audio_codec();
  EXPECT_EQ(world_.engine.replace_source(0, std::move(audio)).error(), RelayError::other_media);
  auto more = other_source();
  more.media.push_back(more.media[0]);
  more.media[1].payload_type = 97;
  EXPECT_EQ(world_.engine.replace_source(0, std::move(more)).error(), RelayError::other_media);
  auto rate = other_source();
  rate.media[0].codec.clock_rate = 48000;
  EXPECT_EQ(world_.engine.replace_source(0, std::move(rate)).error(), RelayError::other_media);
  const std::size_t before = viewers_[0]->packets.size();
  world_.run_for(1s);
  EXPECT_GE(viewers_[0]->packets.size(), before + 90) << "the stream goes on as if nothing was";
  auto same = other_source();
  same.media[0].codec.name = "vp8";
  EXPECT_TRUE(world_.engine.replace_source(0, std::move(same))) << "codec names have no case";
}

TEST_F(LiveStream, whose_publisher_has_gone_waits_for_the_next_one) {
  join(0);
  world_.run_for(1s);
  const std::uint32_t ssrc = viewers_[0]->media_ssrc();
  world_.engine.detach_source(0);
  world_.drain();
  world_.run_for(2s);
  EXPECT_EQ(publisher_->goodbyes, 1U);
  const auto ended = world_.events_of<relay::TrackEnded>();
  ASSERT_EQ(ended.size(), 1U);
  EXPECT_EQ(ended[0].reason, relay::EndReason::goodbye);
  EXPECT_FALSE(world_.engine.statistics(0).has_source);
  EXPECT_FALSE(source().live);
  EXPECT_TRUE(viewers_[0]->goodbyes.empty());
  const std::size_t before = viewers_[0]->packets.size();
  world_.engine.detach_source(0);  // once more does nothing
  ASSERT_TRUE(world_.engine.replace_source(0, other_source()));
  world_.drain();
  Publisher next(world_, at_other_source(), &other_key_);
  number_after(next, *publisher_);
  next.start();
  world_.run_for(1s);
  EXPECT_GE(viewers_[0]->packets.size(), before + 90);
  EXPECT_EQ(viewers_[0]->ssrcs(), std::set<std::uint32_t>{ssrc});
  EXPECT_EQ(publisher_->goodbyes, 1U);
  expect_flawless(*viewers_[0]);
}

TEST_F(LiveStream, that_nobody_publishes_any_more_says_goodbye_after_the_hold_time) {
  join(0);
  world_.run_for(1s);
  const std::uint32_t ssrc = viewers_[0]->media_ssrc();
  world_.engine.detach_source(0);
  world_.drain();
  world_.run_for(31s);
  EXPECT_EQ(viewers_[0]->goodbyes, std::vector<std::uint32_t>{ssrc});
  EXPECT_EQ(world_.engine.next_timeout(), std::nullopt);
  ASSERT_TRUE(world_.engine.replace_source(0, other_source()));
  Publisher next(world_, at_other_source(), &other_key_);
  number_after(next, *publisher_);
  next.start();
  world_.run_for(1s);
  EXPECT_EQ(viewers_[0]->ssrcs().size(), 2U) << "who was told good-bye gets a stream of its own";
  expect_flawless(*viewers_[0]);
}

}  // namespace
}  // namespace runnel::simulation
