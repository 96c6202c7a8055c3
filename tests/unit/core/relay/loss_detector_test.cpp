#include "core/relay/loss_detector.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace runnel::relay {
namespace {

using std::chrono::milliseconds;
using Numbers = std::vector<std::uint16_t>;

constexpr Timestamp kStart = Timestamp(std::chrono::seconds(1));

Numbers due(LossDetector& detector, Timestamp now) {
  Numbers out(LossDetector::kMaxMissing);
  out.resize(detector.take_due(now, out).count);
  return out;
}

void receive(LossDetector& detector, std::initializer_list<std::uint16_t> numbers, Timestamp now) {
  for (const std::uint16_t number : numbers) EXPECT_TRUE(detector.received(number, now));
}

TEST(LossDetector, asks_for_nothing_while_nothing_is_missing) {
  LossDetector detector;
  EXPECT_FALSE(detector.next_deadline());
  receive(detector, {65534, 65535, 0, 1, 1, 0, 2}, kStart);
  EXPECT_FALSE(detector.next_deadline());
  EXPECT_TRUE(due(detector, kStart + milliseconds(1000)).empty());
}

TEST(LossDetector, asks_for_a_gap_after_a_moment_for_reordering_and_then_each_retry_interval) {
  LossDetector detector;
  receive(detector, {65533, 1}, kStart);
  EXPECT_EQ(detector.next_deadline(), kStart + milliseconds(5));
  EXPECT_TRUE(due(detector, kStart + milliseconds(4)).empty());
  EXPECT_EQ(due(detector, kStart + milliseconds(5)), (Numbers{65534, 65535, 0}));
  EXPECT_TRUE(due(detector, kStart + milliseconds(5)).empty());
  EXPECT_EQ(detector.next_deadline(), kStart + milliseconds(65));
  receive(detector, {65535}, kStart + milliseconds(30));
  EXPECT_EQ(due(detector, kStart + milliseconds(65)), (Numbers{65534, 0}));
  receive(detector, {65534, 0}, kStart + milliseconds(70));
  EXPECT_FALSE(detector.next_deadline());
}

TEST(LossDetector, does_not_ask_for_what_is_only_reordered) {
  LossDetector detector;
  receive(detector, {10, 12, 11, 13}, kStart);
  EXPECT_FALSE(detector.next_deadline());
}

TEST(LossDetector, gives_up_after_ten_tries_and_says_so_once) {
  LossDetector detector({.max_age = std::chrono::hours(1)});
  receive(detector, {10, 12}, kStart);
  Numbers out(4);
  Timestamp now = kStart;
  for (int i = 0; i < 10; ++i) {
    now = *detector.next_deadline();
    const auto due = detector.take_due(now, out);
    EXPECT_EQ(due.count, 1u);
    EXPECT_EQ(due.given_up, 0u);
  }
  now = *detector.next_deadline();
  const auto last = detector.take_due(now, out);
  EXPECT_EQ(last.count, 0u);
  EXPECT_EQ(last.given_up, 1u);
  EXPECT_FALSE(detector.next_deadline());
}

TEST(LossDetector, gives_up_what_has_been_missing_for_a_second) {
  LossDetector detector;
  receive(detector, {10, 12}, kStart);
  Numbers out(4);
  EXPECT_EQ(detector.take_due(kStart + milliseconds(999), out).count, 1u);
  receive(detector, {14}, kStart + milliseconds(999));
  const auto later = detector.take_due(kStart + milliseconds(1100), out);
  EXPECT_EQ(later.given_up, 1u);
  EXPECT_EQ(later.count, 1u);
  EXPECT_EQ(out[0], 13);
}

TEST(LossDetector, retries_after_the_round_trip_but_within_50_and_100_ms) {
  const auto interval = [](Duration round_trip) {
    LossDetector detector;
    detector.set_round_trip(round_trip);
    receive(detector, {10, 12}, kStart);
    due(detector, kStart + milliseconds(5));
    return *detector.next_deadline() - (kStart + milliseconds(5));
  };
  EXPECT_EQ(interval(milliseconds(1)), milliseconds(50));
  EXPECT_EQ(interval(milliseconds(70)), milliseconds(70));
  EXPECT_EQ(interval(milliseconds(700)), milliseconds(100));
}

TEST(LossDetector, wants_a_key_frame_instead_of_more_than_it_can_ask_for) {
  constexpr auto kMax = static_cast<std::uint16_t>(LossDetector::kMaxMissing);
  LossDetector detector;
  receive(detector, {0, kMax + 1}, kStart);
  EXPECT_EQ(detector.missing(), LossDetector::kMaxMissing);
  EXPECT_FALSE(detector.received(kMax + 3, kStart)) << "one more";
  EXPECT_EQ(detector.missing(), 0u);
  EXPECT_TRUE(detector.received(kMax + 4, kStart));

  LossDetector other;
  receive(other, {0}, kStart);
  EXPECT_FALSE(other.received(kMax + 2, kStart)) << "a jump";
  EXPECT_FALSE(other.next_deadline());
}

TEST(LossDetector, leaves_due_what_does_not_fit) {
  LossDetector detector;
  receive(detector, {0, 6}, kStart);
  Numbers two(2);
  const Timestamp now = kStart + milliseconds(5);
  EXPECT_EQ(detector.take_due(now, two).count, 2u);
  EXPECT_EQ(two, (Numbers{1, 2}));
  EXPECT_LE(*detector.next_deadline(), now);
  EXPECT_EQ(detector.take_due(now, two).count, 2u);
  EXPECT_EQ(two, (Numbers{3, 4}));
  EXPECT_EQ(due(detector, now), (Numbers{5}));
}

TEST(LossDetector, forgets_what_a_key_frame_makes_worthless_and_all_when_another_ssrc_begins) {
  LossDetector detector;
  receive(detector, {0, 6}, kStart);
  detector.forget_missing();
  EXPECT_FALSE(detector.next_deadline());
  receive(detector, {8}, kStart);
  EXPECT_EQ(detector.missing(), 1u);
  detector.restart();
  receive(detector, {40'000, 40'001}, kStart);
  EXPECT_EQ(detector.missing(), 0u);
}

/// A publisher that loses and reorders at random, and answers some of our requests.
TEST(LossDetector, asks_for_just_what_has_not_come_and_for_each_no_more_than_ten_times) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    std::mt19937 random(seed);
    LossDetector detector;
    Timestamp now = kStart;
    std::uint64_t sent = 65'000;
    std::set<std::uint64_t> missing;  // of the last second at most, when nothing is given up
    std::map<std::uint64_t, int> tries;
    std::size_t given_up = 0;
    ASSERT_TRUE(detector.received(static_cast<std::uint16_t>(sent), now));
    for (int step = 0; step < 20'000; ++step) {
      now += milliseconds(1);
      if (random() % 100 < 10) {
        missing.insert(++sent);
      } else {
        ASSERT_TRUE(detector.received(static_cast<std::uint16_t>(++sent), now));
      }
      Numbers out(16);
      const auto due = detector.take_due(now, out);
      given_up += due.given_up;
      std::optional<std::uint64_t> before;
      for (const std::uint16_t number : std::span(out).first(due.count)) {
        const std::uint64_t position =
            sent - static_cast<std::uint16_t>(static_cast<std::uint16_t>(sent) - number);
        ASSERT_TRUE(missing.contains(position));
        ASSERT_TRUE(!before || *before < position);
        before = position;
        ASSERT_LE(++tries[position], 10);
        if (random() % 2 == 0) {
          missing.erase(position);
          ASSERT_TRUE(detector.received(number, now));
        }
      }
      ASSERT_EQ(detector.next_deadline().has_value(), detector.missing() != 0);
    }
    EXPECT_LT(given_up, 20u);
    EXPECT_GT(tries.size(), 1500u);
  }
}

}  // namespace
}  // namespace runnel::relay
