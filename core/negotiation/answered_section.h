// What an answer says of one m-line of the offer.
#pragma once

#include "core/negotiation/agreement.h"
#include "core/negotiation/local_description.h"
#include "core/negotiation/offer.h"

namespace runnel::negotiation {

/// A format of the peer's under the same numbers, as we write it.
[[nodiscard]] LocalFormat answered_format(const PayloadFormat& offered);

/// As agreed. Ids and payload types are those of the offer, and what the offer says of a direction
/// is turned round.
[[nodiscard]] LocalSection answered_section(const OfferedMedium& offered, const LocalMedium& local);

/// Kept for later (inactive) when it is usable and has a codec that is known, so that an offer of
/// ours may take it up; otherwise rejected.
[[nodiscard]] LocalSection unused_section(const OfferedMedium& offered);

}  // namespace runnel::negotiation
