// What a client is told when its wish cannot be granted: a stable code, a status, a sentence.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace runnel::signalling {

/// Stable names; PROTOCOL.md lists them with their meaning. Clients may rely on them, so one is
/// never renamed.
enum class ErrorCode : std::uint8_t {
  bad_json,             // 400: not JSON, nested too deeply, or no object
  bad_request,          // 400: a field is missing, of the wrong type, or out of range
  unknown_verb,         // 400
  unsupported_version,  // 400: none of the versions is spoken here
  unsupported_leg,      // 400: this kind of leg is not known, or not possible here
  unsupported_suite,    // 400: none of the suites is known
  unsupported_codec,  // 400: what was asked for is not possible with this codec, or the client does
                      // not know it
  bad_key,            // 400: no base64, or of the wrong size for the suite
  bad_sdp,            // 400: the text names the line that cannot be used
  not_authorized,     // 401: no token, or one that is not accepted
  forbidden,          // 403: the token does not allow it
  address_not_allowed,  // 403: media may not come from there, or go there
  unknown_stream,       // 404
  unknown_leg,          // 404: not a leg of this session
  unknown_track,        // 404
  unknown_session,      // 404: nothing to resume
  unknown_peer,         // 404: not a peer connection of this session
  hello_first,          // 409: the first request of a connection is hello
  stream_busy,          // 409: somebody else publishes it
  stream_not_live,      // 409: nobody publishes it
  other_tracks,         // 409: a take-over must bring the same tracks
  ssrc_in_use,          // 409: another publisher on the shared port has this SSRC
  address_in_use,       // 409: another leg receives there, or sends from there
  stale_answer,         // 409: the offer that is answered is not the open one
  too_large,            // 413: the answer would be too long
  rate_limited,         // 429: requests come too fast, or too many tries have failed
  limit_reached,        // 429: of this session or token
  internal,             // 500: a bug of ours
  full,                 // 503: of the whole server
  shutting_down,        // 503
  count_                // not a code: how many there are
};

[[nodiscard]] std::string_view to_string(ErrorCode code) noexcept;
/// The HTTP status that means the same.
[[nodiscard]] int status_of(ErrorCode code) noexcept;

struct Error {
  ErrorCode code = ErrorCode::internal;
  std::string text;                                // one sentence for a person
  std::optional<std::chrono::milliseconds> retry;  // when trying again makes sense
};

}  // namespace runnel::signalling
