// The table of SSRCs, beside a std::map.
#include "core/srtp/ssrc_table.h"

#include <map>

#include <gtest/gtest.h>

#include "tests/unit/core/srtp/test_support.h"

namespace runnel::srtp::test {
namespace {

TEST(SsrcTable, FindsNothingAtFirst) {
  const SsrcTable table(1);
  EXPECT_EQ(table.find(0), std::nullopt);
  EXPECT_EQ(table.find(0xffff'ffff), std::nullopt);
}

TEST(SsrcTable, EverySsrcIsAllowed) {
  SsrcTable table(2);
  table.insert(0, 7);
  table.insert(0xffff'ffff, 8);
  EXPECT_EQ(table.find(0), 7U);
  EXPECT_EQ(table.find(0xffff'ffff), 8U);
  table.clear();
  EXPECT_EQ(table.find(0), std::nullopt);
}

TEST(SsrcTable, EqualsAMapWhileFullMostOfTheTime) {
  for (const std::size_t capacity : {1U, 2U, 3U, 16U, 64U}) {
    SsrcTable table(capacity);
    std::map<std::uint32_t, std::uint32_t> map;
    Generator generator(capacity);
    for (std::uint32_t step = 0; step < 20'000; ++step) {
      // Few distinct values, so that insertions and removals meet in the same places.
      const auto ssrc = static_cast<std::uint32_t>(below(generator, 3 * capacity) * 0x0101'0101U);
      const auto known = map.find(ssrc);
      if (known != map.end()) {
        ASSERT_EQ(table.find(ssrc), known->second);
        if (below(generator, 3) == 0) {
          table.erase(ssrc);
          map.erase(known);
        }
      } else {
        ASSERT_EQ(table.find(ssrc), std::nullopt);
        if (map.size() == capacity) continue;
        table.insert(ssrc, step);
        map.emplace(ssrc, step);
      }
    }
    for (const auto& [ssrc, context] : map) EXPECT_EQ(table.find(ssrc), context);
  }
}

}  // namespace
}  // namespace runnel::srtp::test
