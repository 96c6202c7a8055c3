#include "core/relay/early_reports.h"

#include <gtest/gtest.h>

namespace runnel::relay {
namespace {

EarlySenderReport report_of(std::uint32_t ssrc, std::uint32_t rtp = 0) {
  EarlySenderReport report;
  report.ssrc = ssrc;
  report.rtp = {rtp};
  return report;
}

TEST(EarlyReports, gives_out_the_newest_of_each_ssrc_once) {
  EarlyReports reports;
  reports.remember(report_of(1, 10));
  reports.remember(report_of(2, 20));
  reports.remember(report_of(1, 11));
  ASSERT_TRUE(reports.take(2));
  const auto report = reports.take(1);
  ASSERT_TRUE(report);
  EXPECT_EQ(report->rtp.value, 11U);
  EXPECT_FALSE(reports.take(1));
  EXPECT_FALSE(reports.take(3));
}

TEST(EarlyReports, remembers_sixteen_and_forgets_the_oldest_for_the_seventeenth) {
  EarlyReports reports;
  for (std::uint32_t ssrc = 0; ssrc <= EarlyReports::kRemembered; ++ssrc) {
    reports.remember(report_of(ssrc));
  }
  EXPECT_FALSE(reports.take(0));
  for (std::uint32_t ssrc = 1; ssrc <= EarlyReports::kRemembered; ++ssrc) {
    EXPECT_TRUE(reports.take(ssrc)) << ssrc;
  }
}

}  // namespace
}  // namespace runnel::relay
