// Reads what RTP streams a peer announces in an m-line: SSRCs, RIDs, and the names of the track.
#pragma once

#include <expected>

#include "core/negotiation/error.h"
#include "core/negotiation/offer.h"
#include "core/sdp/description.h"

namespace runnel::negotiation {

/// Sets `ssrcs`, `rids`, `stream_id` and `track_id` of a medium whose direction is set; of one in
/// which the peer does not send they stay empty.
[[nodiscard]] std::expected<void, Error> read_sources(const sdp::MediaSection& section,
                                                      OfferedMedium& medium);

}  // namespace runnel::negotiation
