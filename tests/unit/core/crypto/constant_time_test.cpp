#include "core/crypto/constant_time.h"

#include <gtest/gtest.h>

#include "tests/unit/core/crypto/guarded_buffer.h"

namespace runnel::crypto {
namespace {

TEST(EqualInConstantTime, ComparesEveryByte) {
  const auto a = test::noise(20, 1);
  EXPECT_TRUE(equal_in_constant_time(a, std::vector(a)));
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (const int flipped : {0x01, 0x80}) {
      auto b = a;
      b[i] = static_cast<std::uint8_t>(b[i] ^ flipped);
      EXPECT_FALSE(equal_in_constant_time(a, b)) << "byte " << i;
    }
  }
}

TEST(EqualInConstantTime, DifferentLengthsDiffer) {
  const auto a = test::noise(20, 1);
  EXPECT_FALSE(equal_in_constant_time(a, ByteView(a).first(19)));
  EXPECT_TRUE(equal_in_constant_time({}, {}));
}

}  // namespace
}  // namespace runnel::crypto
