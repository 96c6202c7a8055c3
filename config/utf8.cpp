#include "config/utf8.h"

#include <algorithm>
#include <cstdint>

namespace runnel::config {
namespace {

/// Bytes of the character that begins `text`; 0 when it is none.
std::size_t character_size(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
  const std::uint8_t first = byte(0);
  if (first < 0x80) return first == 0 ? 0 : 1;
  const std::size_t size = first < 0xc2   ? 0
                           : first < 0xe0 ? 2
                           : first < 0xf0 ? 3
                           : first < 0xf5 ? 4
                                          : 0;
  if (size == 0 || text.size() < size) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  const bool is_overlong = (first == 0xe0 && byte(1) < 0xa0) || (first == 0xf0 && byte(1) < 0x90);
  const bool is_surrogate = first == 0xed && byte(1) >= 0xa0;
  const bool is_too_high = first == 0xf4 && byte(1) >= 0x90;
  return is_overlong || is_surrogate || is_too_high ? 0 : size;
}

}  // namespace

std::optional<int> line_that_is_not_utf8(std::string_view text) noexcept {
  std::size_t position = 0;
  while (position < text.size()) {
    const std::size_t size = character_size(text.substr(position));
    if (size == 0) {
      const auto before = text.substr(0, position);
      return static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1;
    }
    position += size;
  }
  return std::nullopt;
}

}  // namespace runnel::config
