// The packets of tests/vectors/rtp_vectors.json, and bytes from hexadecimal digits.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/bytes.h"

namespace runnel::rtp {

using Bytes = std::vector<std::uint8_t>;

/// Two digits for each byte; blanks between bytes are skipped.
inline Bytes from_hex(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  Bytes bytes;
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

inline std::string to_text(ByteView bytes) {
  return {bytes.begin(), bytes.end()};
}

/// One of the lists: "rtp", "rtcp", "header_extension_values", "nack_building".
inline nlohmann::json load_vectors(const char* list) {
  std::ifstream file(RUNNEL_VECTORS_DIR "/rtp_vectors.json");
  return nlohmann::json::parse(file).at(list);
}

/// One of the lists of tests/vectors/feedback_vectors.json: "transport_wide", "remb", "invalid",
/// "chunks".
inline nlohmann::json load_feedback_vectors(const char* list) {
  std::ifstream file(RUNNEL_VECTORS_DIR "/feedback_vectors.json");
  return nlohmann::json::parse(file).at(list);
}

}  // namespace runnel::rtp
