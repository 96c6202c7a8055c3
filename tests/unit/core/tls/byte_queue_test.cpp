#include "core/tls/byte_queue.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace runnel::tls {
namespace {

std::vector<std::uint8_t> content(const ByteQueue& queue) {
  return {queue.view().begin(), queue.view().end()};
}

TEST(ByteQueue, KeepsTheOrderOfWhatPassesThrough) {
  ByteQueue queue;
  std::vector<std::uint8_t> expected;
  std::uint8_t next = 0;
  for (std::size_t round = 1; round < 200; ++round) {
    std::vector<std::uint8_t> in(round % 23);
    for (std::uint8_t& byte : in) byte = next++;
    queue.append(in);
    expected.insert(expected.end(), in.begin(), in.end());
    const std::size_t taken = std::min(round % 17, expected.size());
    queue.take(taken);
    expected.erase(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(taken));
    ASSERT_EQ(content(queue), expected);
    ASSERT_EQ(queue.empty(), expected.empty());
  }
}

TEST(ByteQueue, IsEmptyOnceAllIsTaken) {
  ByteQueue queue;
  queue.append(std::vector<std::uint8_t>(100'000, 1));
  queue.take(99'999);
  EXPECT_EQ(content(queue), std::vector<std::uint8_t>{1});
  queue.take(1);
  EXPECT_TRUE(queue.empty());
  EXPECT_TRUE(queue.view().empty());
  queue.append(std::vector<std::uint8_t>{7});
  EXPECT_EQ(content(queue), std::vector<std::uint8_t>{7});
  queue.clear();
  EXPECT_EQ(queue.size(), 0u);
}

}  // namespace
}  // namespace runnel::tls
