#include "daemon/memory_return.h"

#include <gtest/gtest.h>

namespace runnel::daemon {
namespace {

TEST(MemoryReturn, WaitsUntilACrowdHasGone) {
  MemoryReturn memory;
  EXPECT_FALSE(memory.look_at(10));
  EXPECT_FALSE(memory.look_at(MemoryReturn::kCrowd + 9));
  EXPECT_FALSE(memory.look_at(10));
  EXPECT_FALSE(memory.look_at(MemoryReturn::kCrowd + 10));
  EXPECT_TRUE(memory.look_at(10));
  EXPECT_FALSE(memory.look_at(0));
}

}  // namespace
}  // namespace runnel::daemon
