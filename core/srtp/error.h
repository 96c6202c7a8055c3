// Why a packet could not be protected or unprotected.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/drop_reason.h"

namespace runnel::srtp {

enum class Error : std::uint8_t {
  malformed,              // too short, or the header does not hold together
  authentication_failed,  // the tag is wrong
  unknown_mki,            // no master key has this identifier
  replayed,               // the index was seen before
  too_old,                // the index lies behind the replay window
  too_many_ssrcs,         // no room for another SSRC context
  key_expired,            // 2^48 SRTP or 2^31 SRTCP packets have been protected (RFC 3711 §9.2)
  too_long,               // does not fit into the output
};

[[nodiscard]] std::string_view to_string(Error error) noexcept;
/// Under which reason such a packet is counted.
[[nodiscard]] DropReason drop_reason(Error error) noexcept;

}  // namespace runnel::srtp
