// Hexadecimal text to bytes, for test vectors.
#pragma once

#include <string_view>
#include <vector>

#include "core/base/bytes.h"

namespace runnel::test {

/// Spaces are allowed between bytes.
inline std::vector<std::uint8_t> hex(std::string_view text) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; };
  std::vector<std::uint8_t> bytes;
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == ' ') {
      ++i;
      continue;
    }
    bytes.push_back(static_cast<std::uint8_t>(digit(text[i]) << 4 | digit(text[i + 1])));
    i += 2;
  }
  return bytes;
}

/// The same into an array whose size must fit.
template <std::size_t kSize>
std::array<std::uint8_t, kSize> hex_array(std::string_view text) {
  const auto bytes = hex(text);
  std::array<std::uint8_t, kSize> result{};
  copy_bytes(result, bytes);
  return result;
}

}  // namespace runnel::test
