// Takes the value of an attribute apart: words, numbers, lists.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace runnel::sdp {

/// A decimal number of digits alone, at most `highest`.
template <typename T>
[[nodiscard]] std::optional<T> parse_number(std::string_view text, T highest) noexcept {
  T value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stop != end || value > highest) return std::nullopt;
  return value;
}

/// What stands before the first `separator` (all, when there is none), which is taken off `rest`
/// together with it.
[[nodiscard]] inline std::string_view take_until(std::string_view& rest, char separator) noexcept {
  const std::size_t end = rest.find(separator);
  const std::string_view taken = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return taken;
}

/// The next word of words between spaces; empty: no more.
[[nodiscard]] inline std::string_view take_word(std::string_view& rest) noexcept {
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return take_until(rest, ' ');
}

[[nodiscard]] inline std::string_view trimmed(std::string_view text) noexcept {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

[[nodiscard]] inline std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end; (end = text.find(separator, begin)) != std::string_view::npos;) {
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  parts.emplace_back(text.substr(begin));
  return parts;
}

[[nodiscard]] constexpr bool is_alphanumeric(char c) noexcept {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

/// A word of the token characters of RFC 8866 §9.
[[nodiscard]] inline bool is_token(std::string_view text) noexcept {
  const auto is_allowed = [](char c) {
    return is_alphanumeric(c) ||
           std::string_view("!#$%&'*+-.^_`{|}~").find(c) != std::string_view::npos;
  };
  return !text.empty() && std::ranges::all_of(text, is_allowed);
}

}  // namespace runnel::sdp
