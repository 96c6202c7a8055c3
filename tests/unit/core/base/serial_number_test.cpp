#include "core/base/serial_number.h"

#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace runnel {
namespace {

template <typename T>
class SerialNumber : public testing::Test {};
using Widths = testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;
TYPED_TEST_SUITE(SerialNumber, Widths);

// RFC 1982 §3.2, from every corner of the circle.
TYPED_TEST(SerialNumber, ComparesTheShorterWayRound) {
  using T = TypeParam;
  using Distance = std::make_signed_t<T>;
  constexpr T kHalf = static_cast<T>(T{1} << (std::numeric_limits<T>::digits - 1));
  constexpr T kMax = std::numeric_limits<T>::max();
  for (const T from : {T{0}, T{1}, T{kHalf - 1}, kHalf, T{kHalf + 1}, T{kMax - 1}, kMax}) {
    const auto ahead = [from](T by) { return static_cast<T>(from + by); };
    EXPECT_EQ(serial_distance(from, from), 0);
    EXPECT_EQ(serial_distance(from, ahead(1)), 1);
    EXPECT_EQ(serial_distance(from, ahead(kMax)), -1);
    EXPECT_EQ(serial_distance(from, ahead(kHalf - 1)), std::numeric_limits<Distance>::max());
    EXPECT_EQ(serial_distance(from, ahead(kHalf)), std::numeric_limits<Distance>::min());
    EXPECT_EQ(serial_distance(from, ahead(kHalf + 1)), std::numeric_limits<Distance>::min() + 1);

    EXPECT_FALSE(serial_after(from, from));
    EXPECT_TRUE(serial_after(ahead(1), from));
    EXPECT_FALSE(serial_after(from, ahead(1)));
    EXPECT_TRUE(serial_after(ahead(kHalf - 1), from));
    EXPECT_TRUE(serial_after(from, ahead(kHalf + 1)));
    // RFC 1982 leaves half the circle undefined; here neither is after the other.
    EXPECT_FALSE(serial_after(ahead(kHalf), from));
    EXPECT_FALSE(serial_after(from, ahead(kHalf)));
  }
}

TEST(SerialNumber, EveryPairOfBytesIsOrderedOneWayAtMost) {
  for (unsigned a = 0; a < 256; ++a) {
    for (unsigned b = 0; b < 256; ++b) {
      const auto first = static_cast<std::uint8_t>(a);
      const auto second = static_cast<std::uint8_t>(b);
      EXPECT_FALSE(serial_after(first, second) && serial_after(second, first));
      EXPECT_EQ(static_cast<std::uint8_t>(first + serial_distance(first, second)), second);
    }
  }
}

}  // namespace
}  // namespace runnel
