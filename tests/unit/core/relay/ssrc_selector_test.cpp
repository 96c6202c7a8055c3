#include "core/relay/ssrc_selector.h"

#include <gtest/gtest.h>

namespace runnel::relay {
namespace {

using Verdict = SsrcSelector::Verdict;

TEST(SsrcSelector, the_newest_wins_and_stragglers_lose) {
  SsrcSelector selector;
  EXPECT_EQ(selector.judge(1, false), Verdict::newcomer);
  selector.select(1);
  EXPECT_EQ(selector.judge(1, false), Verdict::current);
  EXPECT_EQ(selector.judge(2, false), Verdict::newcomer);
  selector.select(2);
  EXPECT_EQ(selector.judge(1, false), Verdict::superseded);
  EXPECT_EQ(selector.current(), 2U);
}

TEST(SsrcSelector, an_old_one_may_return_when_the_current_one_is_silent) {
  SsrcSelector selector;
  selector.select(1);
  selector.select(2);
  EXPECT_EQ(selector.judge(1, true), Verdict::newcomer);
  selector.select(1);
  EXPECT_EQ(selector.judge(2, false), Verdict::superseded);
  EXPECT_EQ(selector.judge(1, false), Verdict::current);
}

TEST(SsrcSelector, remembers_sixteen_and_forgets_the_seventeenth) {
  SsrcSelector selector;
  for (std::uint32_t ssrc = 0; ssrc <= SsrcSelector::kRemembered; ++ssrc) selector.select(ssrc);
  EXPECT_EQ(selector.judge(0, false), Verdict::superseded);
  selector.select(1000);
  EXPECT_EQ(selector.judge(0, false), Verdict::newcomer);
  EXPECT_EQ(selector.judge(1, false), Verdict::superseded);
}

}  // namespace
}  // namespace runnel::relay
