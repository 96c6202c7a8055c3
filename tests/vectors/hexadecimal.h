// Bytes from hexadecimal digits, as vectors are written, and back.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/bytes.h"

namespace runnel::test {

/// Two digits for each byte; blanks between bytes are skipped.
inline std::vector<std::uint8_t> from_hex(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::vector<std::uint8_t> bytes;
  bool has_high = false;
  std::size_t high = 0;
  for (const char c : text) {
    if (c == ' ') continue;
    const std::size_t digit = kDigits.find(c);
    if (has_high) bytes.push_back(static_cast<std::uint8_t>(high << 4 | digit));
    high = digit;
    has_high = !has_high;
  }
  return bytes;
}

inline std::string to_hex(ByteView bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const std::uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace runnel::test
