#include "core/relay/media_clock.h"

#include <gtest/gtest.h>

namespace runnel::relay {
namespace {

using namespace std::chrono_literals;

TEST(MediaClock, ticks_are_rounded_down_and_wrap) {
  EXPECT_EQ(ticks(1s, 90000), 90000U);
  EXPECT_EQ(ticks(11'111ns, 90000), 0U);
  EXPECT_EQ(ticks(11'112ns, 90000), 1U);
  EXPECT_EQ(ticks(-1s, 90000), 0U);
  EXPECT_EQ(ticks(Duration::max(), 1'000'000),
            static_cast<std::uint32_t>(9'223'372'036'854'775ULL));
}

TEST(MediaClock, ntp_time_carries_into_the_seconds) {
  const NtpTime start{(std::uint64_t{100} << 32) | 0x8000'0000};
  EXPECT_EQ(ntp_after(start, 500ms).value, std::uint64_t{101} << 32);
  EXPECT_EQ(ntp_after(start, 3s + 250ms).value, (std::uint64_t{103} << 32) | 0xc000'0000);
  EXPECT_EQ(ntp_after(start, -1s), start);
}

TEST(MediaClock, report_units_are_65536ths_of_a_second) {
  EXPECT_EQ(from_report_units(65536), 1s);
  EXPECT_EQ(from_report_units(32768), 500ms);
}

}  // namespace
}  // namespace runnel::relay
