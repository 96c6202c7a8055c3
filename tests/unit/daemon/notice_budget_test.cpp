#include "daemon/notice_budget.h"

#include <gtest/gtest.h>

namespace runnel::daemon {
namespace {

TEST(NoticeBudget, SaysAFewInEachMinuteAndThenHowManyWereLeftOut) {
  NoticeBudget budget(3);
  const Timestamp start{std::chrono::hours(1)};
  for (int i = 0; i < 3; ++i) EXPECT_EQ(budget.may_say(start), 0U);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(budget.may_say(start), std::nullopt);
  const Timestamp later = start + NoticeBudget::kPeriod;
  EXPECT_EQ(budget.may_say(later), 4U);
  EXPECT_EQ(budget.may_say(later), 0U);
}

}  // namespace
}  // namespace runnel::daemon
