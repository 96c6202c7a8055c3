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

TEST(SsrcSelector, one_that_goes_on_may_return_with_its_eighth_packet) {
  SsrcSelector selector;
  selector.select(1);
  selector.select(2);
  for (int i = 1; i < SsrcSelector::kInsistence; ++i) EXPECT_FALSE(selector.insists(1)) << i;
  EXPECT_TRUE(selector.insists(1));
  EXPECT_TRUE(selector.insists(1));
  EXPECT_EQ(selector.judge(1, false), Verdict::superseded) << "until it is selected";
}

TEST(SsrcSelector, each_packet_of_the_current_one_makes_the_others_insist_anew) {
  SsrcSelector selector;
  selector.select(1);
  selector.select(2);
  for (int i = 1; i < SsrcSelector::kInsistence; ++i) EXPECT_FALSE(selector.insists(1));
  selector.current_delivered();
  for (int i = 1; i < SsrcSelector::kInsistence; ++i) EXPECT_FALSE(selector.insists(1));
  EXPECT_TRUE(selector.insists(1));
}

TEST(SsrcSelector, another_that_insists_as_well_does_not_get_in_the_way) {
  SsrcSelector selector;
  for (std::uint32_t ssrc = 1; ssrc <= 3; ++ssrc) selector.select(ssrc);
  for (int i = 1; i < SsrcSelector::kInsistence; ++i) {
    EXPECT_FALSE(selector.insists(1));
    EXPECT_FALSE(selector.insists(2));
  }
  EXPECT_TRUE(selector.insists(1));
  EXPECT_FALSE(selector.insists(99)) << "never replaced";
}

TEST(SsrcSelector, two_packets_of_one_ssrc_in_sequence_are_a_source) {
  SsrcSelector selector;
  EXPECT_FALSE(selector.is_in_sequence(7, 65535));
  EXPECT_FALSE(selector.is_in_sequence(7, 65535)) << "sent twice";
  EXPECT_FALSE(selector.is_in_sequence(8, 0)) << "another";
  EXPECT_FALSE(selector.is_in_sequence(7, 65535));
  EXPECT_TRUE(selector.is_in_sequence(7, 0));
}

}  // namespace
}  // namespace runnel::relay
