#include "core/relay/bitrate_meter.h"

#include <gtest/gtest.h>

namespace runnel::relay {
namespace {

using std::chrono::milliseconds;

constexpr Timestamp kStart = Timestamp(std::chrono::seconds(50));

TEST(BitrateMeter, says_0_before_the_first_byte) {
  BitrateMeter meter;
  EXPECT_EQ(meter.bits_per_second(kStart), 0u);
}

TEST(BitrateMeter, measures_a_steady_stream_within_five_percent_from_its_first_moments_on) {
  BitrateMeter meter;
  for (int i = 0; i < 3000; ++i) {
    const Timestamp now = kStart + milliseconds(i);
    meter.add(125, now);  // 1 Mbit/s
    if (i % 50 != 49) continue;
    EXPECT_GE(meter.bits_per_second(now), 950'000u) << i;
    EXPECT_LE(meter.bits_per_second(now), 1'050'000u) << i;
  }
}

TEST(BitrateMeter, forgets_within_a_second) {
  BitrateMeter meter;
  for (int i = 0; i < 2000; ++i) meter.add(125, kStart + milliseconds(i));
  EXPECT_NEAR(static_cast<double>(meter.bits_per_second(kStart + milliseconds(2500))), 500'000,
              50'000);
  EXPECT_EQ(meter.bits_per_second(kStart + milliseconds(3000)), 0u);
  EXPECT_EQ(meter.bits_per_second(kStart + milliseconds(90'000)), 0u);
}

TEST(BitrateMeter, begins_anew_after_a_silence) {
  BitrateMeter meter;
  meter.add(1'000'000, kStart);
  for (int i = 0; i < 100; ++i) meter.add(125, kStart + milliseconds(10'000 + i));
  EXPECT_NEAR(static_cast<double>(meter.bits_per_second(kStart + milliseconds(10'099))), 1'000'000,
              50'000);
}

TEST(BitrateMeter, takes_times_that_run_back_for_now) {
  BitrateMeter meter;
  meter.add(1000, kStart);
  meter.add(1000, kStart - milliseconds(900));
  EXPECT_EQ(meter.bits_per_second(kStart), 2000u * 8 * 20);
}

}  // namespace
}  // namespace runnel::relay
