#include "core/base/slot_table.h"

#include <memory>

#include <gtest/gtest.h>

namespace runnel {
namespace {

std::vector<std::uint32_t> numbers_of(const SlotTable<std::unique_ptr<int>>& table) {
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

}  // namespace
}  // namespace runnel
