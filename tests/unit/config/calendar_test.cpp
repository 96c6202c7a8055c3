// RFC 3339, and plain dates.
#include "config/calendar.h"

#include <gtest/gtest.h>

namespace runnel::config {
namespace {

std::int64_t seconds(std::string_view text) {
  const auto time = parse_time(text);
  EXPECT_TRUE(time) << text;
  return time ? time->time_since_epoch().count() : -1;
}

TEST(Calendar, ReadsDatesAndTimes) {
  EXPECT_EQ(seconds("1970-01-01"), 0);
  EXPECT_EQ(seconds("2027-01-31"), 1'801'353'600);
  EXPECT_EQ(seconds("2024-02-29"), 1'709'164'800);
  EXPECT_EQ(seconds("9999-12-31T23:59:59Z"), 253'402'300'799);
}

TEST(Calendar, Rfc3339Section58) {
  EXPECT_EQ(seconds("1985-04-12T23:20:50.52Z"), 482'196'050);
  EXPECT_EQ(seconds("1996-12-19T16:39:57-08:00"), 851'042'397);
  EXPECT_EQ(seconds("1990-12-31T23:59:60Z"), 662'688'000);
  EXPECT_EQ(seconds("1990-12-31T15:59:60-08:00"), 662'688'000);
  EXPECT_EQ(seconds("1937-01-01T12:00:27.87+00:20"), -1'041'337'173);
  EXPECT_EQ(seconds("1985-04-12t23:20:50z"), seconds("1985-04-12 23:20:50Z"));
}

TEST(Calendar, RefusesWhatIsNoTime) {
  for (const char* bad : {"",
                          "2027",
                          "2027-1-31",
                          "2027-02-29",
                          "2027-13-01",
                          "2027-00-01",
                          "2027-01-00",
                          "27-01-31",
                          "31.01.2027",
                          "2027-01-31T",
                          "2027-01-31T12:00:00",
                          "2027-01-31T12:00Z",
                          "2027-01-31T24:00:00Z",
                          "2027-01-31T12:60:00Z",
                          "2027-01-31T12:00:61Z",
                          "2027-01-31T12:00:00.Z",
                          "2027-01-31T12:00:00+1:00",
                          "2027-01-31T12:00:00+24:00",
                          "2027-01-31T12:00:00Zx",
                          "2027-01-31 ",
                          "+2027-01-31",
                          "2027-01-3a"}) {
    EXPECT_FALSE(parse_time(bad)) << bad;
  }
}

TEST(Calendar, WritesWhatItReads) {
  for (const char* text : {"2027-01-31T00:00:00Z", "1970-01-01T00:00:01Z", "1969-12-31T23:59:59Z",
                           "2024-02-29T12:34:56Z"}) {
    EXPECT_EQ(format_time(parse_time(text).value()), text);
  }
}

}  // namespace
}  // namespace runnel::config
