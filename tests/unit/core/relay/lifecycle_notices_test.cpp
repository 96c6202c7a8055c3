#include "core/relay/lifecycle_notices.h"

#include <gtest/gtest.h>

namespace runnel::relay {
namespace {

using namespace std::chrono_literals;

const Timestamp kStart{1h};

TEST(LifecycleNotices, some_in_a_row_and_then_one_a_second) {
  LifecycleNotices notices;
  for (int i = 0; i < LifecycleNotices::kAtOnce; ++i) EXPECT_TRUE(notices.may_say(kStart)) << i;
  EXPECT_FALSE(notices.may_say(kStart));
  EXPECT_FALSE(notices.may_say(kStart + 999ms));
  EXPECT_TRUE(notices.may_say(kStart + 1s));
  EXPECT_FALSE(notices.may_say(kStart + 1s));
}

TEST(LifecycleNotices, after_a_while_of_quiet_some_in_a_row_again) {
  LifecycleNotices notices;
  int said = 0;
  for (int i = 0; i < 100; ++i) said += notices.may_say(kStart) ? 1 : 0;
  for (int i = 0; i < 100; ++i) said += notices.may_say(kStart + 1h) ? 1 : 0;
  EXPECT_EQ(said, 2 * LifecycleNotices::kAtOnce);
}

}  // namespace
}  // namespace runnel::relay
