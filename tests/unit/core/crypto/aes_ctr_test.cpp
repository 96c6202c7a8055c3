#include "core/crypto/aes_ctr.h"

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/unit/core/crypto/guarded_buffer.h"
#include "tests/unit/core/crypto/hex.h"
#include "tests/unit/core/crypto/openssl_reference.h"

namespace runnel::crypto {
namespace {

using test::evp_aes_ctr;
using test::GuardedBuffer;
using test::hex;
using test::hex_array;
using test::noise;

constexpr std::size_t kMaxSize = 2100;

class AesCtrKernels : public testing::TestWithParam<AesCtrKernel> {
 protected:
  void SetUp() override {
    if (!is_supported(GetParam())) {
      GTEST_SKIP() << "this processor does not support " << to_string(GetParam());
    }
  }

  std::vector<std::uint8_t> apply(ByteView key, const CounterBlock& counter, ByteView in) const {
    std::vector<std::uint8_t> out(in.size());
    AesCtr(key, GetParam()).apply(counter, in, out.data());
    return out;
  }
  std::vector<std::uint8_t> keystream(ByteView key, const CounterBlock& counter,
                                      std::size_t size) const {
    return apply(key, counter, std::vector<std::uint8_t>(size));
  }
};

INSTANTIATE_TEST_SUITE_P(Kernels, AesCtrKernels, testing::ValuesIn(kAesCtrKernels),
                         [](const auto& kernel) { return std::string(to_string(kernel.param)); });

TEST_P(AesCtrKernels, Fips197AppendixC) {
  const auto block = hex_array<16>("00112233445566778899aabbccddeeff");
  EXPECT_EQ(keystream(hex("000102030405060708090a0b0c0d0e0f"), block, 16),
            hex("69c4e0d86a7b0430d8cdb78070b4c55a"));
  EXPECT_EQ(
      keystream(hex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"), block, 16),
      hex("8ea2b7ca516745bfeafc49904b496089"));
}

TEST_P(AesCtrKernels, Sp80038aF5) {
  const auto counter = hex_array<16>("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");
  const auto plaintext =
      hex("6bc1bee22e409f96e93d7e117393172a ae2d8a571e03ac9c9eb76fac45af8e51"
          "30c81c46a35ce411e5fbc1191a0a52ef f69f2445df4f9b17ad2b417be66c3710");
  EXPECT_EQ(apply(hex("2b7e151628aed2a6abf7158809cf4f3c"), counter, plaintext),
            hex("874d6191b620e3261bef6864990db6ce 9806f66b7970fdff8617187bb9fffdff"
                "5ae4df3edbd5d35e5b4f09020db03eab 1e031dda2fbe03d1792170a0f3009cee"));
  EXPECT_EQ(apply(hex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4"), counter,
                  plaintext),
            hex("601ec313775789a5b7a7f504bbf3d228 f443e3ca4d62b59aca84e990cacaf5c5"
                "2b0930daa23de94ce87017ba2d84988d dfc9c58db67aada613c2dd08457941a6"));
}

TEST_P(AesCtrKernels, Rfc3711AppendixB2) {
  const auto key = hex("2b7e151628aed2a6abf7158809cf4f3c");
  EXPECT_EQ(keystream(key, hex_array<16>("f0f1f2f3f4f5f6f7f8f9fafbfcfd0000"), 48),
            hex("e03ead0935c95e80e166b16dd92b4eb4 d23513162b02d0f72a43a2fe4a5f97ab"
                "41e95b3bb0a2e8dd477901e4fca894c0"));
  // The last three blocks of the listing begin at block 0xfeff.
  const auto blocks = keystream(key, hex_array<16>("f0f1f2f3f4f5f6f7f8f9fafbfcfd0000"),
                                (std::size_t{0xfeff} + 3) * 16);
  EXPECT_EQ(std::vector(blocks.end() - 48, blocks.end()),
            hex("ec8cdf7398607cb0f2d21675ea9ea1e4 362b7c3c6773516318a077d7fc5073ae"
                "6a2cc3787889374fbeb4c81b17ba6c44"));
}

// Vectors that begin at any counter block, from the shared file.
TEST_P(AesCtrKernels, SharedVectors) {
  std::size_t count = 0;
  std::ifstream file(RUNNEL_VECTORS_DIR "/srtp_vectors.json");
  const auto document = nlohmann::json::parse(file);
  for (const auto& vector : document["vectors"]) {
    if (vector["type"] != "aes_ctr_raw") continue;
    SCOPED_TRACE(vector["id"].get<std::string>());
    ++count;
    const auto expected = hex(vector["keystream"].get<std::string>());
    EXPECT_EQ(keystream(hex(vector["key"].get<std::string>()),
                        hex_array<16>(vector["iv"].get<std::string>()), expected.size()),
              expected);
  }
  EXPECT_EQ(count, 1U);
}

TEST_P(AesCtrKernels, Rfc6188Section71) {
  EXPECT_EQ(keystream(hex("57f82fe3613fd170a85ec93c40b1f0922ec4cb0dc025b58272147cc438944a98"),
                      hex_array<16>("f0f1f2f3f4f5f6f7f8f9fafbfcfd0000"), 48),
            hex("92bdd28a93c3f52511c677d08b5515a4 9da71b2378a854f67050756ded165bac"
                "63c4868b7096d88421b563b8c94c9a31"));
}

TEST_P(AesCtrKernels, EqualsOpensslForEveryLengthAndOffset) {
  const auto counter = hex_array<16>("000102030405060708090a0b0c0d0000");
  const auto plaintext = noise(kMaxSize, 1);
  GuardedBuffer buffer(kMaxSize);
  for (const std::size_t key_size : {16u, 32u}) {
    const auto key = noise(key_size, 2);
    const auto expected = evp_aes_ctr(key, counter, plaintext);
    const AesCtr cipher(key, GetParam());
    for (std::size_t size = 0; size <= kMaxSize; ++size) {
      const ByteView in = ByteView(plaintext).first(size);
      for (std::size_t offset = 0; offset < 64; ++offset) {
        const ByteSpan out = buffer.area(size, offset);
        cipher.apply(counter, in, out.data());
        ASSERT_TRUE(std::equal(out.begin(), out.end(), expected.begin()))
            << size << " bytes at offset " << offset;
        copy_bytes(out, in);
        cipher.apply(counter, out, out.data());
        ASSERT_TRUE(std::equal(out.begin(), out.end(), expected.begin()))
            << size << " bytes at offset " << offset << ", in place";
        ASSERT_TRUE(buffer.guards_are_intact()) << size << " bytes at offset " << offset;
      }
    }
  }
}

// The counter is one number of 128 bits; each case begins shortly before a carry.
TEST_P(AesCtrKernels, CarriesThroughTheWholeCounter) {
  const auto plaintext = noise(1500, 3);
  for (const std::size_t key_size : {16u, 32u}) {
    const auto key = noise(key_size, 4);
    for (const char* ones : {
             "00000000000000000000000000000000",
             "000102030405060708090a0b0c0d00ff",
             "000102030405060708090a0b0c0dffff",
             "000102030405060708090a0bffffffff",
             "0001020304050607ffffffffffffffff",
             "00010203ffffffffffffffffffffffff",
             "ffffffffffffffffffffffffffffffff",
         }) {
      for (int back = 0; back < 100; ++back) {
        CounterBlock counter = hex_array<16>(ones);
        counter[15] = static_cast<std::uint8_t>(counter[15] - back);
        ASSERT_EQ(AesCtrKernels::apply(key, counter, plaintext),
                  evp_aes_ctr(key, counter, plaintext))
            << back << " blocks before the carry of " << ones;
      }
    }
  }
}

TEST_P(AesCtrKernels, PacketsBeyond4And64KiB) {
  const auto key = noise(16, 5);
  const auto counter = hex_array<16>("f0f1f2f3f4f5f6f7f8f9fafbfcfd0000");
  for (const std::size_t size : {4095u, 4096u, 4097u, 4113u, 65535u, 65536u, 65537u, 65553u,
                                 16u * 65536u, 16u * 65536u + 1, 16u * 65536u + 17}) {
    const auto plaintext = noise(size, 6);
    ASSERT_EQ(apply(key, counter, plaintext), evp_aes_ctr(key, counter, plaintext)) << size;
  }
}

TEST_P(AesCtrKernels, EqualsOpensslForRandomInput) {
  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {
    const auto key = noise(round % 2 == 0 ? 16 : 32, random());
    CounterBlock counter;
    copy_bytes(counter, noise(16, random()));
    const auto plaintext = noise(random() % 1600, random());
    ASSERT_EQ(apply(key, counter, plaintext), evp_aes_ctr(key, counter, plaintext));
  }
}

TEST_P(AesCtrKernels, AMovedCipherWorksOn) {
  const auto key = noise(16, 8);
  const CounterBlock counter{};
  const auto plaintext = noise(100, 9);
  AesCtr first(key, GetParam());
  AesCtr second(std::move(first));
  AesCtr third(noise(32, 10), GetParam());
  third = std::move(second);
  std::vector<std::uint8_t> out(plaintext.size());
  third.apply(counter, plaintext, out.data());
  EXPECT_EQ(out, evp_aes_ctr(key, counter, plaintext));
  EXPECT_EQ(third.kernel(), GetParam());
}

TEST(AesCtr, TakesTheBestKernelByDefault) {
  const AesCtr cipher(ByteView(noise(16, 1)));
  EXPECT_EQ(cipher.kernel(), best_aes_ctr_kernel());
  EXPECT_TRUE(is_supported(cipher.kernel()));
}

TEST(AesCtrDeathTest, AKeyOfAnotherLengthIsABug) {
  EXPECT_DEATH(AesCtr(ByteView(noise(24, 1))), "key.size");
}

}  // namespace
}  // namespace runnel::crypto
