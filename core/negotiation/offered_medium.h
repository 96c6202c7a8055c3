// Reads one m-line of a peer's description.
#pragma once

#include <cstddef>
#include <expected>

#include "core/negotiation/error.h"
#include "core/negotiation/offer.h"
#include "core/sdp/description.h"

namespace runnel::negotiation {

/// As malformed.
[[nodiscard]] Error to_error(sdp::Error error);

/// Everything but whether it belongs to the connection. What `session` says holds where the m-line
/// says nothing itself. Attributes of an unusable m-line are not looked at.
[[nodiscard]] std::expected<OfferedMedium, Error> read_medium(const sdp::Section& session,
                                                              const sdp::MediaSection& section,
                                                              std::size_t index);

}  // namespace runnel::negotiation
