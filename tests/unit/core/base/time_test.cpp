#include "core/base/time.h"

#include <gtest/gtest.h>

namespace runnel {
namespace {

// RFC 3550 §6.4.1: the last SR timestamp is the middle 32 of 64 bits.
TEST(NtpTime, HasAMiddle) {
  EXPECT_EQ(NtpTime{0x1111222233334444}.middle(), 0x22223333u);
  EXPECT_EQ(NtpTime{}.middle(), 0u);
  EXPECT_EQ(NtpTime{0xffffffffffffffff}.middle(), 0xffffffffu);
}

TEST(NtpTime, IsOrdered) {
  EXPECT_LT(NtpTime{1}, NtpTime{2});
  EXPECT_EQ(NtpTime{7}, NtpTime{7});
}

TEST(Timestamp, IsCountedInNanoseconds) {
  const Timestamp start{};
  EXPECT_EQ((start + std::chrono::microseconds(3)) - start, Duration(3000));
}

}  // namespace
}  // namespace runnel
