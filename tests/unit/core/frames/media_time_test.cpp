#include "core/frames/media_time.h"

#include <gtest/gtest.h>

namespace runnel::frames {
namespace {

TEST(MediaTime, IsTheSameAfterTheWayToMicrosecondsAndBack) {
  for (const std::uint32_t clock_rate : {8000u, 16000u, 44100u, 48000u, 90000u}) {
    for (std::uint64_t ticks = 0; ticks < 3 * clock_rate; ticks += 7) {
      ASSERT_EQ(to_ticks(to_microseconds(ticks, clock_rate), clock_rate), ticks);
    }
    const std::uint64_t ten_years = std::uint64_t{clock_rate} * 86400 * 3650;
    EXPECT_EQ(to_microseconds(ten_years, clock_rate), 86400ull * 3650 * 1'000'000);
  }
}

TEST(MediaTime, GoesOnAcrossTheWrapOfTheTimestamp) {
  MediaTime time(1000);
  time.start(5);
  EXPECT_EQ(time.at({0xffffff00}), 5u);
  EXPECT_EQ(time.at({0x00000100}), 512'005u);
  for (std::uint32_t i = 1; i <= 8; ++i) time.at({0x100 + i * 0x40000000});
  EXPECT_EQ(time.at({0x100}), 512'005u + (std::uint64_t{2} << 32) * 1000);
}

TEST(MediaTime, GoesBackForPicturesThatAreShownBeforeTheOneSentBefore) {
  MediaTime time(90'000);
  EXPECT_EQ(time.at({9000}), 0u);
  EXPECT_EQ(time.at({18'000}), 100'000u);
  EXPECT_EQ(time.at({13'500}), 50'000u);
  EXPECT_EQ(time.at({0}), 0u) << "before the first one";
  time.start(1'000'000);
  EXPECT_EQ(time.at({9000}), 1'000'000u);
  EXPECT_EQ(time.at({0}), 900'000u);
}

}  // namespace
}  // namespace runnel::frames
