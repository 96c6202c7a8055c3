#include "core/base/random.h"

#include <gtest/gtest.h>

namespace runnel {
namespace {

class CountingSource final : public RandomSource {
 public:
  void fill(ByteSpan out) noexcept override {
    for (std::uint8_t& byte : out) byte = ++last_;
  }

 private:
  std::uint8_t last_ = 0;
};

TEST(RandomSource, MakesNumbersOfFreshBytes) {
  CountingSource source;
  EXPECT_EQ(source.u32(), 0x01020304u);
  EXPECT_EQ(source.u32(), 0x05060708u);
}

}  // namespace
}  // namespace runnel
