// Walks through UTF-8, one code point after the other.
#include "core/http/utf8.h"

#include <cstdint>

namespace runnel::http {
namespace {

/// How many bytes begin with this one; 0: it begins none.
std::size_t length_of(std::uint8_t lead) noexcept {
  if (lead < 0x80) return 1;
  if (lead < 0xC2) return 0;
  if (lead < 0xE0) return 2;
  if (lead < 0xF0) return 3;
  return lead < 0xF5 ? 4 : 0;
}

bool is_allowed(std::uint32_t value, std::size_t length) noexcept {
  if (length == 3) return value >= 0x800 && (value < 0xD800 || value >= 0xE000);
  return length != 4 || (value >= 0x10000 && value <= 0x10FFFF);
}

}  // namespace

bool is_utf8(std::string_view text) noexcept {
  while (!text.empty()) {
    const auto lead = static_cast<std::uint8_t>(text.front());
    const std::size_t length = length_of(lead);
    if (length == 0 || length > text.size()) return false;
    std::uint32_t value = length == 1 ? lead : lead & (0x7Fu >> length);
    for (const char c : text.substr(1, length - 1)) {
      const auto byte = static_cast<std::uint8_t>(c);
      if ((byte & 0xC0) != 0x80) return false;
      value = (value << 6) | (byte & 0x3Fu);
    }
    if (!is_allowed(value, length)) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace runnel::http
