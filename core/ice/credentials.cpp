#include "core/ice/credentials.h"

#include <algorithm>
#include <string_view>

namespace runnel::ice {
namespace {

constexpr std::size_t kUfragSize = 8;
constexpr std::size_t kPasswordSize = 24;
constexpr std::size_t kLongest = 256;
constexpr std::size_t kShortestUfrag = 4;
constexpr std::size_t kShortestPassword = 22;

/// ice-char of RFC 8839 §5.4; as many as six bits tell apart.
constexpr std::string_view kCharacters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static_assert(kCharacters.size() == 64);

bool consists_of_ice_chars(std::string_view text) noexcept {
  return text.find_first_not_of(kCharacters) == std::string_view::npos;
}

bool is_valid(std::string_view text, std::size_t shortest) noexcept {
  return text.size() >= shortest && text.size() <= kLongest && consists_of_ice_chars(text);
}

}  // namespace

bool is_valid(const Credentials& credentials) noexcept {
  return is_valid(credentials.ufrag, kShortestUfrag) &&
         is_valid(credentials.password, kShortestPassword);
}

Credentials draw_credentials(RandomSource& random) {
  std::array<std::uint8_t, kUfragSize + kPasswordSize> bytes;
  random.fill(bytes);
  std::string drawn(bytes.size(), '\0');
  std::ranges::transform(bytes, drawn.begin(),
                         [](std::uint8_t byte) { return kCharacters[byte % 64]; });
  return {.ufrag = drawn.substr(0, kUfragSize), .password = drawn.substr(kUfragSize)};
}

}  // namespace runnel::ice
