#include "core/auth/bearer.h"

#include <algorithm>

namespace runnel::auth {
namespace {

constexpr std::string_view kScheme = "bearer";

bool is_token_character(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         std::string_view("-._~+/").find(c) != std::string_view::npos;
}

bool is_scheme(std::string_view text) noexcept {
  // Setting this bit makes a letter small and makes no letter of anything else.
  return std::ranges::equal(text, kScheme, [](char a, char b) { return (a | 0x20) == b; });
}

}  // namespace

bool is_bearer_token(std::string_view text) noexcept {
  const std::size_t end = std::min(text.find('='), text.size());
  const std::string_view characters = text.substr(0, end);
  return !characters.empty() && std::ranges::all_of(characters, is_token_character) &&
         text.find_first_not_of('=', end) == std::string_view::npos;
}

std::optional<std::string_view> bearer_token(std::string_view authorization) noexcept {
  const std::size_t space = authorization.find(' ');
  if (space == std::string_view::npos || !is_scheme(authorization.substr(0, space))) {
    return std::nullopt;
  }
  const std::size_t begin = authorization.find_first_not_of(' ', space);
  if (begin == std::string_view::npos) return std::nullopt;
  const std::string_view token = authorization.substr(begin);
  if (!is_bearer_token(token)) return std::nullopt;
  return token;
}

}  // namespace runnel::auth
