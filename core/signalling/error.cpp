#include "core/signalling/error.h"

#include <array>

namespace runnel::signalling {
namespace {

struct Meaning {
  std::string_view name;
  int status;
};

constexpr std::array<Meaning, static_cast<std::size_t>(ErrorCode::count_)> kMeanings{{
    {"bad_json", 400},
    {"bad_request", 400},
    {"unknown_verb", 400},
    {"unsupported_version", 400},
    {"unsupported_leg", 400},
    {"unsupported_suite", 400},
    {"unsupported_codec", 400},
    {"bad_key", 400},
    {"bad_sdp", 400},
    {"not_authorized", 401},
    {"forbidden", 403},
    {"address_not_allowed", 403},
    {"unknown_stream", 404},
    {"unknown_leg", 404},
    {"unknown_track", 404},
    {"unknown_session", 404},
    {"unknown_peer", 404},
    {"hello_first", 409},
    {"stream_busy", 409},
    {"stream_not_live", 409},
    {"other_tracks", 409},
    {"ssrc_in_use", 409},
    {"address_in_use", 409},
    {"stale_answer", 409},
    {"too_large", 413},
    {"rate_limited", 429},
    {"limit_reached", 429},
    {"internal", 500},
    {"full", 503},
    {"shutting_down", 503},
}};

}  // namespace

std::string_view to_string(ErrorCode code) noexcept {
  return kMeanings[static_cast<std::size_t>(code)].name;
}

int status_of(ErrorCode code) noexcept {
  return kMeanings[static_cast<std::size_t>(code)].status;
}

}  // namespace runnel::signalling
