// Numbers with units, in and out.
#include "config/quantities.h"

#include <gtest/gtest.h>

namespace runnel::config {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

TEST(Quantities, IntegersAreDecimalOrHexadecimal) {
  EXPECT_EQ(parse_integer("0"), 0u);
  EXPECT_EQ(parse_integer("4294967295"), 4'294'967'295u);
  EXPECT_EQ(parse_integer("0x1F"), 31u);
  for (const char* text :
       {"", "x", "-1", "+1", "1.5", "1 ", " 1", "0x", "1e3", "99999999999999999999"}) {
    EXPECT_EQ(parse_integer(text), std::nullopt) << text;
  }
}

TEST(Quantities, DurationsNeedAUnit) {
  EXPECT_EQ(parse_duration("500ms"), milliseconds(500));
  EXPECT_EQ(parse_duration("30s"), seconds(30));
  EXPECT_EQ(parse_duration("1m"), minutes(1));
  EXPECT_EQ(parse_duration("2 h"), hours(2));
  EXPECT_EQ(parse_duration("0"), milliseconds(0));
  for (const char* text :
       {"", "30", "s", "1.5s", "-1s", "1d", "1S", "1s ", "9999999h", "18446744073709551615s"}) {
    EXPECT_EQ(parse_duration(text), std::nullopt) << text;
  }
}

TEST(Quantities, SizesAreBytesWithoutAUnit) {
  EXPECT_EQ(parse_byte_size("1000"), 1'000u);
  EXPECT_EQ(parse_byte_size("64KiB"), 65'536u);
  EXPECT_EQ(parse_byte_size("4MiB"), 4'194'304u);
  EXPECT_EQ(parse_byte_size("4M"), 4'194'304u);
  EXPECT_EQ(parse_byte_size("1 GiB"), 1'073'741'824u);
  for (const char* text : {"", "MiB", "4 mib", "-4MiB", "4.5MiB", "9999999999GiB"}) {
    EXPECT_EQ(parse_byte_size(text), std::nullopt) << text;
  }
}

TEST(Quantities, BitRatesGoByThousands) {
  EXPECT_EQ(parse_bitrate("8Mbit/s"), 8'000'000u);
  EXPECT_EQ(parse_bitrate("800 kbit/s"), 800'000u);
  EXPECT_EQ(parse_bitrate("8Mbps"), 8'000'000u);
  EXPECT_EQ(parse_bitrate("8M"), 8'000'000u);
  EXPECT_EQ(parse_bitrate("2500000"), 2'500'000u);
  for (const char* text : {"", "Mbit/s", "8MB/s", "8Mbit", "2.5Mbit/s", "-1", "1001Gbit/s"}) {
    EXPECT_EQ(parse_bitrate(text), std::nullopt) << text;
  }
  EXPECT_EQ(format_bitrate(8'000'000), "8Mbit/s");
  EXPECT_EQ(format_bitrate(2'500'000), "2500kbit/s");
}

TEST(Quantities, AreWrittenInTheLargestUnitThatFits) {
  EXPECT_EQ(format_duration(milliseconds(500)), "500ms");
  EXPECT_EQ(format_duration(seconds(90)), "90s");
  EXPECT_EQ(format_duration(minutes(2)), "2m");
  EXPECT_EQ(format_duration(milliseconds(0)), "0");
  EXPECT_EQ(format_byte_size(4'194'304), "4MiB");
  EXPECT_EQ(format_byte_size(1'000), "1000B");
}

TEST(Quantities, BooleansAsYamlHasThem) {
  for (const char* text : {"true", "True", "YES", "on"}) EXPECT_EQ(parse_boolean(text), true);
  for (const char* text : {"false", "FALSE", "no", "Off"}) EXPECT_EQ(parse_boolean(text), false);
  for (const char* text : {"", "1", "ja", "tru"}) EXPECT_EQ(parse_boolean(text), std::nullopt);
}

TEST(Quantities, HexadecimalBytesComeInPairs) {
  using Bytes = std::vector<std::uint8_t>;
  EXPECT_EQ(parse_hex("0x01"), (Bytes{1}));
  EXPECT_EQ(parse_hex("00aBff"), (Bytes{0, 0xab, 0xff}));
  for (const char* text : {"", "0x", "1", "0x123", "zz", "0 "}) {
    EXPECT_EQ(parse_hex(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace runnel::config
