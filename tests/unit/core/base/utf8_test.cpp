#include "core/base/utf8.h"

#include <vector>

#include <gtest/gtest.h>

namespace runnel::test {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes bytes_of(std::string_view text) {
  return {text.begin(), text.end()};
}

Bytes joined(std::initializer_list<Bytes> pieces) {
  Bytes all;
  for (const Bytes& piece : pieces) all.insert(all.end(), piece.begin(), piece.end());
  return all;
}

/// Encodes any number below 2^21, whether it is a character or not.
Bytes encoded(std::uint32_t code) {
  const auto tail = [code](int shift) {
    return static_cast<std::uint8_t>(0x80 | ((code >> shift) & 0x3f));
  };
  if (code < 0x80) return {static_cast<std::uint8_t>(code)};
  if (code < 0x800) return {static_cast<std::uint8_t>(0xc0 | (code >> 6)), tail(0)};
  if (code < 0x10000) return {static_cast<std::uint8_t>(0xe0 | (code >> 12)), tail(6), tail(0)};
  return {static_cast<std::uint8_t>(0xf0 | (code >> 18)), tail(12), tail(6), tail(0)};
}

TEST(Utf8, AcceptsExactlyTheCharactersOfUnicode) {
  for (std::uint32_t code = 0; code < 0x20'0000; ++code) {
    const bool is_character = code <= 0x10'ffff && (code < 0xd800 || code > 0xdfff);
    ASSERT_EQ(is_valid_utf8(encoded(code)), is_character) << std::hex << code;
  }
}

TEST(Utf8, RefusesOverlongForms) {
  for (const Bytes& bytes : {Bytes{0xc0, 0x80}, Bytes{0xc1, 0xbf}, Bytes{0xe0, 0x9f, 0xbf},
                             Bytes{0xf0, 0x8f, 0xbf, 0xbf}, Bytes{0xf8, 0x88, 0x80, 0x80, 0x80},
                             Bytes{0xff}, Bytes{0x80}}) {
    EXPECT_FALSE(is_valid_utf8(bytes));
  }
}

TEST(Utf8, FailsAtTheFirstByteThatCannotBeRight) {
  // Autobahn 6.4.x: a code point above U+10FFFF, arriving byte by byte.
  Utf8Validator validator;
  EXPECT_TRUE(validator.accept(bytes_of("\xce\xba\xe1\xbd\xb9\xcf\x83\xce\xbc\xce\xb5")));
  EXPECT_TRUE(validator.accept(Bytes{0xf4}));
  EXPECT_FALSE(validator.is_complete());
  EXPECT_FALSE(validator.accept(Bytes{0x90}));
}

TEST(Utf8, GivesTheSameAnswerHoweverTheTextIsCut) {
  const Bytes text =
      joined({bytes_of("plain text that is long enough for the fast way \xce\xba "),
              encoded(0x10ffff), encoded(0xd7ff), encoded(0xe000), bytes_of(" end")});
  const ByteView view(text);
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    Utf8Validator validator;
    EXPECT_TRUE(validator.accept(view.first(cut)));
    EXPECT_TRUE(validator.accept(view.subspan(cut)));
    EXPECT_TRUE(validator.is_complete());
  }
  for (std::size_t bad = 0; bad < text.size(); ++bad) {
    Bytes broken = text;
    broken[bad] = 0xff;
    EXPECT_FALSE(is_valid_utf8(broken)) << bad;
  }
}

TEST(Utf8, IsIncompleteWithinACharacterAndFreshAfterReset) {
  Utf8Validator validator;
  EXPECT_TRUE(validator.accept(Bytes{0xe2, 0x82}));
  EXPECT_FALSE(validator.is_complete());
  EXPECT_FALSE(is_valid_utf8(Bytes{0xe2, 0x82}));
  validator.reset();
  EXPECT_TRUE(validator.is_complete());
  EXPECT_TRUE(validator.accept(bytes_of("a")));
}

}  // namespace
}  // namespace runnel::test
