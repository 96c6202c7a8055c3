// n connections are admitted, and one more is not.
#include "core/auth/connection_limits.h"

#include <gtest/gtest.h>

namespace runnel::auth {
namespace {

using Admission = ConnectionLimits::Admission;

LimitKey token(std::uint64_t number) {
  return LimitKey::of_token(number);
}

TEST(ConnectionLimits, HoldForEachKey) {
  ConnectionLimits limits(10, 3, 1);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(limits.admit(token(1)), Admission::admitted);
  EXPECT_EQ(limits.admit(token(1)), Admission::too_many_of_this);
  EXPECT_EQ(limits.admit(token(2)), Admission::admitted);
  EXPECT_EQ(limits.count(token(1)), 3u);
  EXPECT_EQ(limits.total(), 4u);
  limits.release(token(1));
  EXPECT_EQ(limits.admit(token(1)), Admission::admitted);
}

TEST(ConnectionLimits, HoldInAll) {
  ConnectionLimits limits(100, 3, 1);
  for (std::uint64_t i = 0; i < 100; ++i) EXPECT_EQ(limits.admit(token(i)), Admission::admitted);
  EXPECT_EQ(limits.admit(token(100)), Admission::too_many);
  EXPECT_EQ(limits.admit(token(0)), Admission::too_many);
  limits.release(token(50));
  EXPECT_EQ(limits.admit(token(100)), Admission::admitted);
  for (std::uint64_t i = 0; i <= 100; ++i) {
    EXPECT_EQ(limits.count(token(i)), i == 50 ? 0u : 1u) << i;
  }
}

TEST(ConnectionLimits, NobodyIsForgottenWhileConnected) {
  ConnectionLimits limits(3, 2, 1);
  ASSERT_EQ(limits.admit(token(1)), Admission::admitted);
  for (std::uint64_t i = 2; i < 1'000; ++i) {
    ASSERT_EQ(limits.admit(token(i)), Admission::admitted);
    limits.release(token(i));
  }
  EXPECT_EQ(limits.count(token(1)), 1u);
  limits.release(token(1));
  EXPECT_EQ(limits.total(), 0u);
}

TEST(ConnectionLimitsDeathTest, ReleasingWhatWasNotAdmittedIsABug) {
  ConnectionLimits limits(3, 2, 1);
  EXPECT_DEATH(limits.release(token(1)), "count");
}

}  // namespace
}  // namespace runnel::auth
