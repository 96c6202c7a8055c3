#include "core/crypto/xor.h"

#include <gtest/gtest.h>

#include "tests/unit/core/crypto/guarded_buffer.h"

namespace runnel::crypto {
namespace {

using test::GuardedBuffer;
using test::noise;

constexpr std::size_t kMaxSize = 2100;

class Xor : public testing::TestWithParam<XorKernel> {
 protected:
  void SetUp() override {
    if (!is_supported(GetParam())) {
      GTEST_SKIP() << "this processor does not support " << to_string(GetParam());
    }
  }

  const std::vector<std::uint8_t> a_ = noise(kMaxSize, 1);
  const std::vector<std::uint8_t> b_ = noise(kMaxSize, 2);
};

INSTANTIATE_TEST_SUITE_P(Kernels, Xor, testing::ValuesIn(kXorKernels),
                         [](const auto& kernel) { return std::string(to_string(kernel.param)); });

TEST_P(Xor, EqualsTheDefinitionForEveryLengthAndOffset) {
  std::vector<std::uint8_t> expected(kMaxSize);
  for (std::size_t i = 0; i < kMaxSize; ++i) expected[i] = a_[i] ^ b_[i];
  GuardedBuffer buffer(kMaxSize);
  for (std::size_t size = 0; size <= kMaxSize; ++size) {
    const ByteView a = ByteView(a_).first(size);
    for (std::size_t offset = 0; offset < 64; ++offset) {
      const ByteSpan out = buffer.area(size, offset);
      xor_bytes(a, b_, out.data(), GetParam());
      ASSERT_TRUE(std::equal(out.begin(), out.end(), expected.begin()))
          << size << " bytes at offset " << offset;
      copy_bytes(out, a);
      xor_bytes(out, b_, out.data(), GetParam());
      ASSERT_TRUE(std::equal(out.begin(), out.end(), expected.begin()))
          << size << " bytes at offset " << offset << ", in place";
      copy_bytes(out, ByteView(b_).first(size));
      xor_bytes(a, out, out.data(), GetParam());
      ASSERT_TRUE(std::equal(out.begin(), out.end(), expected.begin()))
          << size << " bytes at offset " << offset << ", onto b";
      ASSERT_TRUE(buffer.guards_are_intact()) << size << " bytes at offset " << offset;
    }
  }
}

TEST_P(Xor, MasksEveryLengthOffsetAndPhase) {
  const MaskingKey key{0x37, 0xfa, 0x21, 0x3d};
  std::array<std::vector<std::uint8_t>, 4> expected;
  for (std::size_t phase = 0; phase < 4; ++phase) {
    for (std::size_t i = 0; i < kMaxSize; ++i) {
      expected[phase].push_back(a_[i] ^ key[(phase + i) % 4]);
    }
  }
  GuardedBuffer buffer(kMaxSize);
  for (std::size_t size = 0; size <= kMaxSize; ++size) {
    for (std::size_t offset = 0; offset < 64; ++offset) {
      const std::size_t phase = size + offset / 3;
      const ByteSpan data = buffer.area(size, offset);
      copy_bytes(data, ByteView(a_).first(size));
      xor_masking_key(data, key, phase, GetParam());
      ASSERT_TRUE(std::equal(data.begin(), data.end(), expected[phase % 4].begin()))
          << size << " bytes at offset " << offset << ", phase " << phase;
      ASSERT_TRUE(buffer.guards_are_intact()) << size << " bytes at offset " << offset;
    }
  }
}

// Areas of exactly the right size: AddressSanitizer sees a read too far.
TEST_P(Xor, ReadsNothingBehindItsInput) {
  for (std::size_t size = 1; size <= 300; ++size) {
    const auto a = noise(size, 5);
    const auto b = noise(size, 6);
    std::vector<std::uint8_t> out(size);
    xor_bytes(a, b, out.data(), GetParam());
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(out[i], a[i] ^ b[i]);
    xor_masking_key(out, {1, 2, 3, 4}, 0, GetParam());
  }
}

TEST_P(Xor, MaskingInPiecesEqualsMaskingAtOnce) {
  const MaskingKey key{1, 2, 4, 8};
  auto whole = a_;
  auto pieces = a_;
  xor_masking_key(whole, key, 0, GetParam());
  std::size_t position = 0;
  for (std::size_t piece = 1; position < pieces.size(); piece = piece * 2 + 1) {
    const std::size_t size = std::min(piece, pieces.size() - position);
    xor_masking_key(ByteSpan(pieces).subspan(position, size), key, position, GetParam());
    position += size;
  }
  EXPECT_EQ(pieces, whole);
}

TEST(XorMaskingKey, Rfc6455Section57MaskedHello) {
  std::array<std::uint8_t, 5> payload{0x7f, 0x9f, 0x4d, 0x51, 0x58};
  xor_masking_key(payload, {0x37, 0xfa, 0x21, 0x3d});
  EXPECT_EQ(std::string(payload.begin(), payload.end()), "Hello");
}

TEST(XorBytes, WithoutAKernelTakesTheBest) {
  const auto a = noise(1000, 3);
  const auto b = noise(1000, 4);
  for (const std::size_t size : {0u, 1u, 7u, 15u, 16u, 17u, 1000u}) {
    std::vector<std::uint8_t> out(size);
    xor_bytes(ByteView(a).first(size), b, out.data());
    for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(out[i], a[i] ^ b[i]);
  }
}

}  // namespace
}  // namespace runnel::crypto
