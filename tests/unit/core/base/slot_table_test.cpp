#include "core/base/slot_table.h"

#include <memory>

#include <gtest/gtest.h>

namespace runnel {
namespace {

template <typename T>
std::vector<std::uint32_t> numbers_of(const SlotTable<T>& table) {
  std::vector<std::uint32_t> numbers;
  for (const std::uint32_t number : table.numbers()) numbers.push_back(number);
  return numbers;
}

TEST(SlotTable, keeps_the_numbers_of_those_that_stay) {
  SlotTable<std::unique_ptr<int>> table;
  for (int i = 0; i < 4; ++i) {
    EXPECT_EQ(table.next_number(), static_cast<std::uint32_t>(i));
    EXPECT_EQ(table.add(std::make_unique<int>(10 * i)), static_cast<std::uint32_t>(i));
  }
  table.remove(1);
  table.remove(2);
  EXPECT_EQ(table.size(), 2U);
  EXPECT_EQ(*table[3], 30);
  EXPECT_FALSE(table.holds(1));
  EXPECT_FALSE(table.holds(4));
  EXPECT_EQ(numbers_of(table), (std::vector<std::uint32_t>{0, 3}));
}

TEST(SlotTable, gives_free_numbers_again_before_new_ones) {
  SlotTable<std::unique_ptr<int>> table;
  for (int i = 0; i < 3; ++i) table.add(std::make_unique<int>(i));
  table.remove(0);
  table.remove(2);
  EXPECT_EQ(table.next_number(), 2U);
  EXPECT_EQ(table.add(std::make_unique<int>(7)), 2U);
  EXPECT_EQ(table.add(std::make_unique<int>(8)), 0U);
  EXPECT_EQ(table.add(std::make_unique<int>(9)), 3U);
  EXPECT_EQ(table.bound(), 4U);
  EXPECT_EQ(*table[0], 8);
}

TEST(SlotTable, leaves_things_where_they_are) {
  SlotTable<int> table;
  const std::uint32_t first = table.add(7);
  const int* place = &table[first];
  for (int i = 0; i < 1'000; ++i) table.add(i);
  EXPECT_EQ(&table[first], place);
  EXPECT_EQ(*place, 7);
}

TEST(SlotTable, has_memory_for_those_alone_that_stay) {
  constexpr std::uint32_t kCrowd = 1'000;
  SlotTable<int> table;
  EXPECT_EQ(table.capacity(), 0U);
  for (std::uint32_t i = 0; i < kCrowd; ++i) table.add(7);
  EXPECT_GE(table.capacity(), kCrowd);
  for (std::uint32_t i = 1; i < kCrowd; ++i) table.remove(i);
  EXPECT_LE(table.capacity(), 16U);
  EXPECT_EQ(numbers_of(table), std::vector<std::uint32_t>{0});
  for (std::uint32_t i = 1; i < kCrowd; ++i) EXPECT_LT(table.add(8), kCrowd);
  EXPECT_EQ(table[0], 7);
  EXPECT_EQ(table.bound(), kCrowd);
  EXPECT_EQ(table.size(), kCrowd);
}

}  // namespace
}  // namespace runnel
