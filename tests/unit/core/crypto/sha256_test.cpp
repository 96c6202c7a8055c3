// The examples of FIPS 180-4.
#include "core/crypto/sha256.h"

#include <string_view>

#include <gtest/gtest.h>

#include "tests/unit/core/crypto/hex.h"

namespace runnel::crypto {
namespace {

using Digest = std::array<std::uint8_t, kSha256DigestSize>;

Digest digest_of(std::string_view text) {
  return sha256({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
}

TEST(Sha256, OneBlock) {
  EXPECT_EQ(digest_of("abc"),
            test::hex_array<kSha256DigestSize>(
                "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"));
}

TEST(Sha256, TwoBlocks) {
  EXPECT_EQ(digest_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            test::hex_array<kSha256DigestSize>(
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"));
}

TEST(Sha256, Nothing) {
  EXPECT_EQ(sha256({}), test::hex_array<kSha256DigestSize>(
                            "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"));
}

}  // namespace
}  // namespace runnel::crypto
