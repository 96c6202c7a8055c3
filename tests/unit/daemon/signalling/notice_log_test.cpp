#include "daemon/signalling/notice_log.h"

#include <gtest/gtest.h>

namespace runnel::daemon {
namespace {

using What = session::Notice::What;

session::Notice notice(What what) {
  return {.what = what,
          .stream = "studio",
          .client = "camera-7",
          .address = *IpAddress::parse("192.0.2.9"),
          .reason = "expired"};
}

TEST(NoticeLog, SaysWhoDidWhatWithAStream) {
  EXPECT_EQ(describe(notice(What::published)).message, "studio: published by camera-7 (192.0.2.9)");
  EXPECT_EQ(describe(notice(What::taken_over)).message,
            "studio: taken over by camera-7 (192.0.2.9)");
  EXPECT_EQ(describe(notice(What::unpublished)).message,
            "studio: no longer published by camera-7 (192.0.2.9)");
  EXPECT_EQ(describe(notice(What::stopped)).message,
            "studio: its publication is stopped by camera-7 (192.0.2.9)");
}

TEST(NoticeLog, WarnsOfTokensWithoutShowingThem) {
  session::Notice refused = notice(What::token_refused);
  refused.client.clear();
  EXPECT_EQ(describe(refused).message, "a token from 192.0.2.9 is not accepted: expired");
  EXPECT_EQ(describe(refused).level, config::LogLevel::warning);
  refused.what = What::tokens_ignored;
  EXPECT_EQ(describe(refused).message,
            "a token from 192.0.2.9 is not accepted: expired; there have been so many that it has "
            "to wait (limits.failed_tries)");
}

}  // namespace
}  // namespace runnel::daemon
