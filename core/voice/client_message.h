// What a client of the dialect says: one struct for each event, taken out of its JSON.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/voice/error.h"

namespace runnel::voice {

inline constexpr std::size_t kMaxDepth = 8;       // objects and arrays inside of one another
inline constexpr std::size_t kMaxValues = 1024;   // in one text
inline constexpr std::size_t kMaxMarkName = 256;  // bytes
inline constexpr std::size_t kMaxStreamSid = 64;

struct Connected {};
/// Its media format has been checked.
struct Start {
  std::string stream_sid;
};
struct Media {
  std::string stream_sid;                     // empty: not said
  std::string track;                          // empty: not said
  std::optional<std::uint64_t> timestamp_ms;  // since the start of the client's stream
  std::vector<std::uint8_t> audio;            // mu-law samples
};
struct Mark {
  std::string stream_sid;
  std::string name;
};
struct Clear {
  std::string stream_sid;
};
struct Dtmf {
  char digit = '0';
};
struct Stop {};
/// An event that nobody here knows.
struct Unknown {};

using ClientMessage = std::variant<Connected, Start, Media, Mark, Clear, Dtmf, Stop, Unknown>;

/// Fields that are not needed are ignored. Never throws.
[[nodiscard]] std::expected<ClientMessage, Error> parse_message(std::string_view text);

}  // namespace runnel::voice
