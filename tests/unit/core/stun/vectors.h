// The messages of tests/vectors/stun_vectors.json.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/bytes.h"
#include "tests/vectors/hexadecimal.h"

namespace runnel::stun {

using Bytes = std::vector<std::uint8_t>;

using test::from_hex;
using test::to_hex;

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
