// The replay window, beside a set that remembers everything.
#include "core/srtp/replay_window.h"

#include <set>

#include <gtest/gtest.h>

#include "tests/unit/core/srtp/test_support.h"

namespace runnel::srtp::test {
namespace {

TEST(ReplayWindow, AcceptsAnythingWhileEmpty) {
  const ReplayWindow window(64);
  EXPECT_TRUE(window.empty());
  EXPECT_TRUE(window.check(0).has_value());
  EXPECT_TRUE(window.check(~std::uint64_t{0}).has_value());
}

TEST(ReplayWindow, HoldsExactlyItsSize) {
  for (const std::size_t size : {64U, 128U, 192U, 1024U, 32768U}) {
    ReplayWindow window(size);
    window.accept(100'000);
    EXPECT_TRUE(window.check(100'000 - size + 1).has_value()) << size;
    EXPECT_EQ(window.check(100'000 - size).error(), Error::too_old) << size;
    window.accept(100'000 - size + 1);
    EXPECT_EQ(window.check(100'000 - size + 1).error(), Error::replayed) << size;
    EXPECT_EQ(window.highest(), 100'000U);
  }
}

TEST(ReplayWindow, ClearForgetsEverything) {
  ReplayWindow window(64);
  window.accept(1000);
  window.clear();
  EXPECT_TRUE(window.empty());
  EXPECT_TRUE(window.check(1000).has_value());
  EXPECT_TRUE(window.check(0).has_value());
}

TEST(ReplayWindow, EqualsASetThatRemembersEverything) {
  for (const std::size_t size : {64U, 128U, 192U, 1024U}) {
    Generator generator(size);
    ReplayWindow window(size);
    std::set<std::uint64_t> accepted;
    std::uint64_t highest = 5000;
    for (int step = 0; step < 50'000; ++step) {
      const std::size_t reach = below(generator, 100) == 0 ? 5 * size : size / 8 + 3;
      const std::uint64_t back = below(generator, size + 20);
      const std::uint64_t index =
          below(generator, 2) == 0 ? highest + below(generator, reach) : highest - back;
      const auto result = window.check(index);
      if (accepted.contains(index) && highest - index < size) {
        ASSERT_EQ(result.error(), Error::replayed);
      } else if (!accepted.empty() && index < highest && highest - index >= size) {
        ASSERT_EQ(result.error(), Error::too_old);
      } else {
        ASSERT_TRUE(result.has_value());
        window.accept(index);
        accepted.insert(index);
        highest = *accepted.rbegin();
      }
    }
    EXPECT_EQ(window.highest(), highest);
  }
}

}  // namespace
}  // namespace runnel::srtp::test
