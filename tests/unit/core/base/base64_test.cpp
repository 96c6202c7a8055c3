#include "core/base/base64.h"

#include <vector>

#include <gtest/gtest.h>

namespace runnel::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

std::optional<Bytes> decoded(std::string_view text) {
  Bytes bytes(300);
  const auto size = decode_base64(text, bytes);
  if (!size) return std::nullopt;
  bytes.resize(*size);
  return bytes;
}

// RFC 4648 §10.
TEST(Base64, Rfc4648Section10) {
  const auto bytes = [](std::string_view text) { return Bytes(text.begin(), text.end()); };
  EXPECT_EQ(decoded(""), bytes(""));
  EXPECT_EQ(decoded("Zg=="), bytes("f"));
  EXPECT_EQ(decoded("Zm8="), bytes("fo"));
  EXPECT_EQ(decoded("Zm9v"), bytes("foo"));
  EXPECT_EQ(decoded("Zm9vYg=="), bytes("foob"));
  EXPECT_EQ(decoded("Zm9vYmE="), bytes("fooba"));
  EXPECT_EQ(decoded("Zm9vYmFy"), bytes("foobar"));
}

TEST(Base64, PaddingMayBeMissing) {
  EXPECT_EQ(decoded("Zg"), decoded("Zg=="));
  EXPECT_EQ(decoded("Zm8"), decoded("Zm8="));
}

TEST(Base64, AnythingElseIsRefused) {
  for (const std::string_view text : {"Z", "Zg=", "Zg===", "=", "====", "Zm9v=", "Zm8=Zm8=", "Zm 8",
                                      "Zm8\n", "Zm9-", "Zm9_", "Zh==", "Zm9="}) {
    EXPECT_EQ(decoded(text), std::nullopt) << text;
  }
}

TEST(Base64, WhatDoesNotFitIsCountedAndNotWritten) {
  Bytes bytes{0, 0, 0x55};
  EXPECT_EQ(decode_base64("Zm9vYmFy", ByteSpan(bytes).first(2)), 6U);
  EXPECT_EQ(bytes, (Bytes{'f', 'o', 0x55}));
}

TEST(Base64, EncodingIsWhatDecodesToTheSame) {
  EXPECT_EQ(encode_base64({}), "");
  EXPECT_EQ(encode_base64(Bytes{'f'}), "Zg==");
  EXPECT_EQ(encode_base64(Bytes{'f', 'o'}), "Zm8=");
  Bytes bytes;
  for (int i = 0; i < 256; ++i) {
    bytes.push_back(static_cast<std::uint8_t>(i * 7));
    EXPECT_EQ(decoded(encode_base64(bytes)), bytes);
  }
}

}  // namespace
}  // namespace runnel::test
