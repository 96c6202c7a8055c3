// The packets of tests/vectors/rtp_vectors.json.
#pragma once

#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/base/bytes.h"
#include "tests/vectors/hexadecimal.h"

namespace runnel::rtp {

using Bytes = std::vector<std::uint8_t>;

using test::from_hex;
using test::to_hex;

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
