#include "core/relay/retransmission_budget.h"

#include <random>

#include <gtest/gtest.h>

namespace runnel::relay {
namespace {

using std::chrono::milliseconds;

constexpr Timestamp kNow = Timestamp(std::chrono::seconds(100));

TEST(RetransmissionBudget, repeats_a_packet_at_once_but_not_again_within_20_ms) {
  RetransmissionBudget budget;
  EXPECT_TRUE(budget.spend(7, 1000, kNow));
  EXPECT_FALSE(budget.spend(7, 1000, kNow));
  EXPECT_FALSE(budget.spend(7, 1000, kNow + milliseconds(19)));
  EXPECT_TRUE(budget.spend(8, 1000, kNow + milliseconds(19)));
  EXPECT_TRUE(budget.spend(7, 1000, kNow + milliseconds(20)));
}

TEST(RetransmissionBudget, waits_half_a_round_trip_between_repetitions_as_far_as_200_ms) {
  RetransmissionBudget budget;
  EXPECT_TRUE(budget.spend(7, 100, kNow, milliseconds(120)));
  EXPECT_FALSE(budget.spend(7, 100, kNow + milliseconds(59), milliseconds(120)));
  EXPECT_TRUE(budget.spend(7, 100, kNow + milliseconds(60), milliseconds(120)));
  EXPECT_FALSE(budget.spend(7, 100, kNow + milliseconds(259), std::chrono::minutes(1)));
  EXPECT_TRUE(budget.spend(7, 100, kNow + milliseconds(260), std::chrono::minutes(1)));
}

TEST(RetransmissionBudget, sends_no_more_again_than_half_of_what_was_sent_whatever_is_asked) {
  std::mt19937 random(7);
  RetransmissionBudget budget;
  std::size_t sent = 0, sent_again = 0;
  Timestamp now = kNow;
  for (int packet = 0; packet < 20'000; ++packet) {
    now += milliseconds(1);
    budget.sent(1200);
    sent += 1200;
    for (int nack = 0; nack < 10; ++nack) {
      if (budget.spend(static_cast<std::uint16_t>(random()), 1200, now)) sent_again += 1200;
    }
  }
  EXPECT_LE(sent_again, sent / 2 + RetransmissionBudget::kInitialBytes);
  EXPECT_GE(sent_again, sent / 2 - 1200);
}

TEST(RetransmissionBudget, saves_up_a_bounded_amount) {
  RetransmissionBudget budget;
  EXPECT_EQ(budget.available(), RetransmissionBudget::kInitialBytes);
  for (int i = 0; i < 1000; ++i) budget.sent(100'000);
  EXPECT_EQ(budget.available(), RetransmissionBudget::kMaxBytes);
  EXPECT_TRUE(budget.spend(1, RetransmissionBudget::kMaxBytes, kNow));
  EXPECT_FALSE(budget.spend(2, 1, kNow));
  EXPECT_EQ(budget.available(), 0u);
}

TEST(RetransmissionBudget, does_not_count_what_it_refuses_as_sent_again) {
  RetransmissionBudget budget;
  EXPECT_FALSE(budget.spend(1, RetransmissionBudget::kInitialBytes + 1, kNow));
  EXPECT_TRUE(budget.spend(1, RetransmissionBudget::kInitialBytes, kNow));
}

}  // namespace
}  // namespace runnel::relay
