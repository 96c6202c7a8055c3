// Writes the answer to a peer's offer (RFC 3264 §6, RFC 9429 §5.3).
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "core/negotiation/agreement.h"
#include "core/negotiation/offer.h"
#include "core/sdp/transport_attributes.h"

namespace runnel::negotiation {

/// The o= line: a number drawn for the connection, and how often it has been described.
struct Origin {
  std::uint64_t session_id = 0;  // below 2^63
  std::uint64_t version = 1;
};

/// Which side begins the DTLS handshake, as a=setup of ours: passive unless the peer waits.
[[nodiscard]] sdp::Setup setup_for(const PeerTransport& peer) noexcept;

/// Every m-line of the offer in its place: those of `accepted` (by their section) as agreed, other
/// usable ones inactive, the rest by port 0. `setup`: active or passive.
[[nodiscard]] std::string write_answer(const Offer& offer, std::span<const LocalMedium> accepted,
                                       const LocalTransport& local, const Origin& origin,
                                       sdp::Setup setup);

}  // namespace runnel::negotiation
