// The line about signalling, and the calendar in answers.
#include "daemon/signalling/server_statistics.h"

#include <gtest/gtest.h>

#include "daemon/signalling/http_date.h"

namespace runnel::daemon {
namespace {

TEST(ServerStatistics, AreOneLine) {
  ServerStatistics server;
  server.connections = 12;
  server.websockets = 1;
  server.requests = 30;
  session::Desk::Counts desk;
  desk.sessions = 2;
  desk.streams = 1;
  desk.publications = 1;
  EXPECT_EQ(describe(server, desk).message,
            "signalling: 12 connections (1 WebSocket), 2 sessions, 1 stream, 1 publication, "
            "0 subscriptions; 30 requests so far");
}

TEST(ServerStatistics, NameEveryTrouble) {
  ServerStatistics server;
  server.refused = 1;
  server.timed_out = 2;
  server.failed = 3;
  server.too_slow = 4;
  server.refused_media = 5;
  server.discarded_statistics = 6;
  session::Desk::Counts desk;
  desk.media_drops.malformed = 7;
  const LogLine line = describe(server, desk);
  EXPECT_TRUE(line.message.ends_with(
      "0 requests so far, 1 refused by a limit, 2 too slow to ask, 3 ended in an error, 4 closed "
      "for reading too slowly, 5 media messages without room, 6 statistics without room, 7 media "
      "messages malformed"))
      << line.message;
  EXPECT_EQ(line.fields.back(), LogField("media.malformed", std::uint64_t{7}));
}

TEST(HttpDate, IsThatOfTheStandard) {
  EXPECT_EQ(http_date(784111777), "Sun, 06 Nov 1994 08:49:37 GMT") << "RFC 9110 §5.6.7";
  EXPECT_EQ(http_date(0), "Thu, 01 Jan 1970 00:00:00 GMT");
  EXPECT_EQ(http_date(4107542399), "Sun, 28 Feb 2100 23:59:59 GMT");
}

}  // namespace
}  // namespace runnel::daemon
