// Reads the payload types of an m-line with their codecs, feedback and retransmission.
#pragma once

#include <expected>

#include "core/negotiation/error.h"
#include "core/negotiation/offer.h"
#include "core/sdp/description.h"

namespace runnel::negotiation {

/// Sets `formats` of a medium whose kind is set. Attributes of payload types that the m-line does
/// not have are passed over.
[[nodiscard]] std::expected<void, Error> read_formats(const sdp::MediaSection& section,
                                                      OfferedMedium& medium);

}  // namespace runnel::negotiation
