#include "core/base/deadline_queue.h"

#include <algorithm>
#include <map>
#include <random>

#include <gtest/gtest.h>

namespace runnel {
namespace {

Timestamp at(std::int64_t nanoseconds) {
  return Timestamp(Duration(nanoseconds));
}

TEST(DeadlineQueue, is_empty_at_first) {
  DeadlineQueue queue;
  queue.resize(3);
  EXPECT_EQ(queue.earliest(), std::nullopt);
  EXPECT_EQ(queue.take_due(at(1'000'000)), std::nullopt);
}

TEST(DeadlineQueue, takes_what_is_due_and_not_what_is_not) {
  DeadlineQueue queue;
  queue.resize(3);
  queue.set(0, at(30));
  queue.set(1, at(10));
  queue.set(2, at(20));
  EXPECT_EQ(queue.earliest(), at(10));
  EXPECT_EQ(queue.take_due(at(9)), std::nullopt);
  EXPECT_EQ(queue.take_due(at(20)), 1U);
  EXPECT_EQ(queue.take_due(at(20)), 2U);
  EXPECT_EQ(queue.take_due(at(20)), std::nullopt);
  EXPECT_EQ(queue.earliest(), at(30));
}

TEST(DeadlineQueue, a_later_setting_replaces_an_earlier_one) {
  DeadlineQueue queue;
  queue.resize(2);
  queue.set(0, at(10));
  queue.set(0, at(50));
  queue.set(1, at(40));
  EXPECT_EQ(queue.take_due(at(45)), 1U);
  EXPECT_EQ(queue.take_due(at(45)), std::nullopt);
  queue.clear(0);
  queue.clear(0);
  EXPECT_EQ(queue.earliest(), std::nullopt);
}

TEST(DeadlineQueue, behaves_like_a_sorted_list_through_ten_thousand_random_steps) {
  constexpr std::uint32_t kItems = 50;
  DeadlineQueue queue;
  queue.resize(kItems);
  std::map<std::uint32_t, Timestamp> model;
  std::mt19937 generator(1);
  const auto draw = [&generator] { return static_cast<std::uint32_t>(generator()); };
  const auto earliest = [&] {
    return std::ranges::min_element(model, {}, [](const auto& entry) { return entry.second; });
  };
  for (int step = 0; step < 10'000; ++step) {
    const std::uint32_t item = draw() % kItems;
    switch (draw() % 3) {
      case 0:
        model[item] = at(draw() % 1000);
        queue.set(item, model[item]);
        break;
      case 1:
        queue.clear(item);
        model.erase(item);
        break;
      default:
        if (const auto taken = queue.take_due(at(500))) {
          ASSERT_EQ(model.at(*taken), earliest()->second);
          model.erase(*taken);
        } else {
          ASSERT_TRUE(model.empty() || earliest()->second > at(500));
        }
    }
    ASSERT_EQ(queue.earliest().has_value(), !model.empty());
    if (!model.empty()) {
      ASSERT_EQ(*queue.earliest(), earliest()->second);
    }
  }
}

}  // namespace
}  // namespace runnel
