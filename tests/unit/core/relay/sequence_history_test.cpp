#include "core/relay/sequence_history.h"

#include <deque>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "core/relay/sequence_translator.h"

namespace runnel::relay {
namespace {

constexpr SequenceSegment on_track(std::uint32_t track) {
  return {.track = track, .timestamp_offset = track * 10, .pictures = {}};
}

TEST(SequenceHistory, knows_nothing_before_the_first_segment) {
  SequenceHistory history;
  history.sent(5);
  EXPECT_FALSE(history.find(5));
}

TEST(SequenceHistory, finds_the_position_and_all_that_is_the_segments_own) {
  SequenceHistory history;
  const SequenceSegment segment{
      .track = 3,
      .timestamp_offset = 99,
      .pictures = {.picture_id = 1, .base_layer_index = 2, .key_index = 3}};
  history.begin(segment, 70'000, 2000);
  history.sent(2000);
  history.sent(2010);
  const auto origin = history.find(2004);
  ASSERT_TRUE(origin);
  EXPECT_EQ(origin->position, 70'004u);
  EXPECT_EQ(origin->segment.track, 3u);
  EXPECT_EQ(origin->segment.timestamp_offset, 99u);
  EXPECT_EQ(origin->segment.pictures, segment.pictures);
  EXPECT_FALSE(history.find(2011)) << "not sent yet";
  EXPECT_EQ(history.find(1990)->position, 69'990u) << "reordered before the first";
}

TEST(SequenceHistory, parts_what_was_before_a_switch_from_what_came_after) {
  SequenceHistory history;
  history.begin(on_track(1), 70'000, 100);
  history.sent(150);
  history.begin(on_track(2), 90'000, 151);
  history.sent(160);
  EXPECT_EQ(history.find(150)->segment.track, 1u);
  EXPECT_EQ(history.find(150)->position, 70'050u);
  EXPECT_EQ(history.find(151)->segment.track, 2u);
  EXPECT_EQ(history.find(151)->position, 90'000u);
  EXPECT_EQ(history.find(160)->position, 90'009u);
}

TEST(SequenceHistory, remembers_the_last_n_segments_and_not_the_one_before_them) {
  SequenceHistory history;
  for (std::uint32_t i = 0; i <= SequenceHistory::kSegments; ++i) {
    history.begin(on_track(i), 70'000, static_cast<std::uint16_t>(100 * i));
    history.sent(static_cast<std::uint16_t>(100 * i + 50));
  }
  EXPECT_FALSE(history.find(50));
  EXPECT_EQ(history.find(100)->segment.track, 1u);
  EXPECT_EQ(history.find(850)->segment.track, 8u);
}

TEST(SequenceHistory, replaces_a_segment_in_which_nothing_was_sent_but_its_beginning) {
  SequenceHistory history;
  history.begin(on_track(1), 70'000, 100);
  history.begin(on_track(2), 80'000, 100);
  EXPECT_EQ(history.find(100)->segment.track, 2u);
}

TEST(SequenceHistory, does_not_find_what_is_further_back_than_its_reach) {
  SequenceHistory history;
  history.begin(on_track(1), 70'000, 100);
  history.sent(100 + SequenceHistory::kReach);
  EXPECT_TRUE(history.find(100));
  history.sent(101 + SequenceHistory::kReach);
  EXPECT_FALSE(history.find(100));
}

TEST(SequenceHistory, does_not_find_tracks_that_are_gone_nor_numbers_of_an_earlier_ssrc) {
  SequenceHistory history;
  history.begin(on_track(1), 70'000, 100);
  history.sent(110);
  history.begin(on_track(2), 80'000, 111);
  history.forget_track(1);
  EXPECT_FALSE(history.find(105));
  EXPECT_TRUE(history.find(111));
  history.forget();
  EXPECT_FALSE(history.find(111));
}

struct Sent {
  std::uint16_t number = 0;
  std::uint32_t track = 0;
  std::uint64_t position = 0;
  std::size_t segment = 0;
};

/// A receiver that is switched, paused and served at random, by encodings that lose and reorder.
class Wanderer {
 public:
  explicit Wanderer(unsigned seed) : random_(seed) {
    for (auto& position : positions_) position = 65536 + random_() % 100'000;
  }

  void step() {
    for (auto& position : positions_) position += 1 + (random_() % 16 == 0 ? random_() % 40 : 0);
    if (random_() % 200 == 0) {
      track_ = static_cast<std::uint32_t>(random_() % 3);
      begin_ = true;
    }
    if (random_() % 300 == 0) pause();
    const bool reordered = !begin_ && random_() % 6 == 0;
    std::uint64_t position = positions_[track_];
    if (reordered) position -= random_() % 30;
    if (begin_) begin(position);
    const auto number = translator_.translate(position);
    if (!number) return;
    if (!given_.insert({segment_, position}).second) return;  // the line gives no place twice
    history_.sent(*number);
    check_new(*number, reordered);
    sent_.push_back({*number, track_, position, segment_});
    if (sent_.size() > 2000) sent_.pop_front();
  }

  void check_all() const {
    for (const Sent& sent : sent_) {
      const auto origin = history_.find(sent.number);
      if (sent.segment + SequenceHistory::kSegments <= segment_) continue;
      ASSERT_TRUE(origin) << sent.number;
      ASSERT_EQ(origin->segment.track, sent.track);
      ASSERT_EQ(origin->position, sent.position);
    }
  }

 private:
  /// Perhaps for more than half of the circle.
  void pause() {
    for (auto& position : positions_) position += random_() % 100'000;
    begin_ = true;
  }

  void begin(std::uint64_t position) {
    begin_ = false;
    ++segment_;
    if (segment_ == 1) {
      translator_.start(position, static_cast<std::uint16_t>(random_()));
    } else {
      translator_.resume(position);
    }
    history_.begin(on_track(track_), position, *translator_.translate(position));
  }

  /// Numbers never repeat, nor run back but for true reordering.
  void check_new(std::uint16_t number, bool reordered) {
    if (newest_ && !reordered) {
      ASSERT_GT(serial_distance(*newest_, number), 0);
    }
    for (const Sent& sent : sent_) ASSERT_NE(sent.number, number);
    if (!newest_ || serial_after(number, *newest_)) newest_ = number;
  }

  std::mt19937 random_;
  std::array<std::uint64_t, 3> positions_{};
  std::uint32_t track_ = 0;
  bool begin_ = true;
  std::size_t segment_ = 0;
  SequenceTranslator translator_;
  SequenceHistory history_;
  std::set<std::pair<std::size_t, std::uint64_t>> given_;
  std::optional<std::uint16_t> newest_;
  std::deque<Sent> sent_;
};

TEST(SequenceHistory, finds_every_packet_over_switches_pauses_gaps_and_wraps) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    Wanderer wanderer(seed);
    for (int i = 0; i < 20'000; ++i) {
      wanderer.step();
      if (i % 500 == 0) wanderer.check_all();
      if (HasFatalFailure()) FAIL() << "seed " << seed << ", step " << i;
    }
  }
}

}  // namespace
}  // namespace runnel::relay
