// Why a voice connection ends: what the client sent does not fit, or cannot be served.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "core/rtp/codec.h"

namespace runnel::voice {

enum class ErrorCode : std::uint8_t {
  bad_message,        // no JSON, or fields that are missing, of the wrong type or out of range
  out_of_turn,        // such as media before start
  unsupported_media,  // not G.711 mu-law, 8000 Hz, mono
  too_large,          // longer than Options::max_message
  limit_reached,      // more marks wait for their playout than are allowed
};

[[nodiscard]] std::string_view to_string(ErrorCode code) noexcept;

/// A connection does not go on after an error: the daemon closes it with `close_code` and `text`.
struct Error {
  ErrorCode code = ErrorCode::bad_message;
  std::string text;  // one sentence for a person; names the field as a path ("media.payload")
};

/// Of RFC 6455 §7.4.1: 1003 for unsupported_media, 1009 for too_large, 1008 for the others.
[[nodiscard]] std::uint16_t close_code(ErrorCode code) noexcept;

/// Whether a stream's track can be heard here: nothing is transcoded, so it has to be PCMU/8000,
/// one channel. The error says so in a sentence.
[[nodiscard]] std::expected<void, Error> check_codec(const rtp::Codec& codec);

}  // namespace runnel::voice
