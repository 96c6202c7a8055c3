// Reads and writes the text form of a fingerprint.
#include "core/dtls/fingerprint.h"

#include <algorithm>

namespace runnel::dtls {
namespace {

struct Function {
  std::string_view name;
  std::size_t size;
};
constexpr std::array<Function, 3> kFunctions{{{"sha-256", 32}, {"sha-384", 48}, {"sha-512", 64}}};

const Function& details(HashFunction function) noexcept {
  return kFunctions[static_cast<std::size_t>(function)];
}

constexpr char to_lower(char c) noexcept {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::optional<HashFunction> function_named(std::string_view name) noexcept {
  for (const auto function :
       {HashFunction::sha_256, HashFunction::sha_384, HashFunction::sha_512}) {
    if (std::ranges::equal(name, details(function).name, {}, to_lower)) return function;
  }
  return std::nullopt;
}

std::optional<std::uint8_t> hex_digit(char c) noexcept {
  if (c >= '0' && c <= '9') return static_cast<std::uint8_t>(c - '0');
  c = to_lower(c);
  if (c >= 'a' && c <= 'f') return static_cast<std::uint8_t>(c - 'a' + 10);
  return std::nullopt;
}

}  // namespace

std::size_t Fingerprint::size() const noexcept {
  return details(function).size;
}

std::string Fingerprint::to_string() const {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string text(details(function).name);
  for (std::size_t i = 0; i < size(); ++i) {
    text += i == 0 ? ' ' : ':';
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

std::optional<Fingerprint> Fingerprint::parse(std::string_view text) noexcept {
  const std::size_t space = text.find(' ');
  if (space == std::string_view::npos) return std::nullopt;
  const auto function = function_named(text.substr(0, space));
  if (!function) return std::nullopt;

  Fingerprint fingerprint{.function = *function};
  const std::string_view hash = text.substr(space + 1);
  if (hash.size() != 3 * fingerprint.size() - 1) return std::nullopt;
  for (std::size_t i = 0; i < fingerprint.size(); ++i) {
    const auto high = hex_digit(hash[3 * i]);
    const auto low = hex_digit(hash[3 * i + 1]);
    const bool is_last = i + 1 == fingerprint.size();
    if (!high || !low || (!is_last && hash[3 * i + 2] != ':')) return std::nullopt;
    fingerprint.bytes[i] = static_cast<std::uint8_t>(*high << 4 | *low);
  }
  return fingerprint;
}

}  // namespace runnel::dtls
