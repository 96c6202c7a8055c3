#include "core/stun/crc32.h"

#include <numeric>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace runnel::stun {
namespace {

std::uint32_t crc32_of(std::string_view text) {
  return crc32({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

TEST(Crc32, CheckValueOfItuTV42) {
  EXPECT_EQ(crc32_of("123456789"), 0xcbf43926u);
  EXPECT_EQ(crc32_of(""), 0u);
  EXPECT_EQ(crc32_of("a"), 0xe8b7be43u);
  EXPECT_EQ(crc32_of("The quick brown fox jumps over the lazy dog"), 0x414fa339u);
}

std::uint32_t bit_by_bit(ByteView bytes) {
  std::uint32_t remainder = 0xffffffff;
  for (const std::uint8_t byte : bytes) {
    remainder ^= byte;
    for (int bit = 0; bit < 8; ++bit) {
      remainder = (remainder >> 1) ^ ((remainder & 1) != 0 ? 0xedb88320 : 0);
    }
  }
  return ~remainder;
}

TEST(Crc32, EachLengthAndOffsetEqualsTheDefinition) {
  std::vector<std::uint8_t> bytes(96);
  std::iota(bytes.begin(), bytes.end(), std::uint8_t{0x9d});
  for (std::size_t offset = 0; offset < 8; ++offset) {
    for (std::size_t size = 0; size + offset <= bytes.size(); ++size) {
      const ByteView part = ByteView(bytes).subspan(offset, size);
      ASSERT_EQ(crc32(part), bit_by_bit(part)) << offset << " " << size;
    }
  }
}

}  // namespace
}  // namespace runnel::stun
