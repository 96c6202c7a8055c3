#include "core/base/check.h"

#include <gtest/gtest.h>

namespace {

TEST(Check, PassesWhatHoldsAndAsksOnce) {
  int asked = 0;
  RUNNEL_CHECK(++asked == 1);
  EXPECT_EQ(asked, 1);
}

TEST(CheckDeathTest, SaysWhatDoesNotHoldAndWhere) {
  EXPECT_DEATH(RUNNEL_CHECK(1 + 1 == 3),
               "bug: 1 \\+ 1 == 3 does not hold at .*check_test.cpp:[0-9]+");
}

TEST(Check, IsOneStatement) {
  if (bool held = true; held)
    RUNNEL_CHECK(held);
  else
    FAIL();
}

}  // namespace
