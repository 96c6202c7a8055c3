// The classes of characters of HTTP and URIs (RFC 9110 §5.6, RFC 3986 §2). ASCII only, whatever the
// locale.
#pragma once

#include <algorithm>
#include <string_view>

namespace runnel::http {

[[nodiscard]] constexpr bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

[[nodiscard]] constexpr bool is_alphanumeric(char c) noexcept {
  return is_digit(c) || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

[[nodiscard]] constexpr bool is_control(char c) noexcept {
  return static_cast<unsigned char>(c) < 0x20 || c == '\x7F';
}

/// What neither a field nor a chunk line may hold: of the control characters, HTAB alone is
/// allowed.
[[nodiscard]] constexpr bool is_forbidden_in_line(char c) noexcept {
  return is_control(c) && c != '\t';
}

[[nodiscard]] constexpr char to_lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Without the optional white space around it (RFC 9110 §5.6.3).
[[nodiscard]] constexpr std::string_view trimmed(std::string_view text) noexcept {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

}  // namespace runnel::http
