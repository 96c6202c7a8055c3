// The messages of tests/vectors/stun_vectors.json, and bytes from hexadecimal digits.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/bytes.h"

namespace runnel::stun {

using Bytes = std::vector<std::uint8_t>;

/// Two digits for each byte.
inline Bytes from_hex(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  Bytes bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(
        static_cast<std::uint8_t>(kDigits.find(text[i]) << 4 | kDigits.find(text[i + 1])));
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

inline nlohmann::json load_vectors() {
  std::ifstream file(RUNNEL_VECTORS_DIR "/stun_vectors.json");
  return nlohmann::json::parse(file).at("vectors");
}

/// The message of one of them, by its id.
inline Bytes vector_packet(std::string_view id) {
  for (const nlohmann::json& vector : load_vectors()) {
    if (vector.at("id") == id) return from_hex(vector.at("packet").get<std::string>());
  }
  return {};
}

}  // namespace runnel::stun
