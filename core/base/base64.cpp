#include "core/base/base64.h"

namespace runnel {
namespace {

std::optional<std::uint32_t> value_of(char c) noexcept {
  if (c >= 'A' && c <= 'Z') return static_cast<std::uint32_t>(c - 'A');
  if (c >= 'a' && c <= 'z') return static_cast<std::uint32_t>(c - 'a' + 26);
  if (c >= '0' && c <= '9') return static_cast<std::uint32_t>(c - '0' + 52);
  if (c == '+') return 62;
  if (c == '/') return 63;
  return std::nullopt;
}

/// Without its padding; nullopt when there is padding and it is not what belongs there.
std::optional<std::string_view> strip_padding(std::string_view text) noexcept {
  const std::size_t end = text.find('=');
  if (end == std::string_view::npos) return text;
  const std::string_view padding = text.substr(end);
  if (padding != "=" && padding != "==") return std::nullopt;
  if (text.size() % 4 != 0) return std::nullopt;
  return text.substr(0, end);
}

}  // namespace

std::optional<std::size_t> decode_base64(std::string_view text, ByteSpan out) noexcept {
  const std::optional<std::string_view> digits = strip_padding(text);
  if (!digits || digits->size() % 4 == 1) return std::nullopt;
  std::size_t size = 0;
  std::uint32_t bits = 0;
  int bit_count = 0;
  for (const char c : *digits) {
    const std::optional<std::uint32_t> value = value_of(c);
    if (!value) return std::nullopt;
    bits = (bits << 6) | *value;
    bit_count += 6;
    if (bit_count < 8) continue;
    bit_count -= 8;
    if (size < out.size()) out[size] = static_cast<std::uint8_t>(bits >> bit_count);
    ++size;
    bits &= (1U << bit_count) - 1;
  }
  if (bits != 0) return std::nullopt;
  return size;
}

std::string encode_base64(ByteView bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t group = std::uint32_t{bytes[i]} << 16;
    if (i + 1 < bytes.size()) group |= std::uint32_t{bytes[i + 1]} << 8;
    if (i + 2 < bytes.size()) group |= bytes[i + 2];
    for (int shift = 18; shift >= 0; shift -= 6) text.push_back(kDigits[(group >> shift) & 63]);
  }
  const std::size_t padding = (3 - bytes.size() % 3) % 3;
  text.replace(text.size() - padding, padding, padding, '=');
  return text;
}

}  // namespace runnel
