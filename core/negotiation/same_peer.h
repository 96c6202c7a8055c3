// What may not change from one description of a peer to the next.
#pragma once

#include <expected>

#include "core/negotiation/error.h"
#include "core/negotiation/offer.h"
#include "core/negotiation/peer_connection_state.h"

namespace runnel::negotiation {

/// Place, MID and kind of an m-line (RFC 3264 §8, RFC 9143 §7.5).
[[nodiscard]] std::expected<void, Error> check_same_section(const SectionRecord& before,
                                                            const OfferedMedium& now);

/// The certificate: there is one DTLS association for the whole life of a connection.
[[nodiscard]] std::expected<void, Error> check_same_peer(const PeerTransport& before,
                                                         const PeerTransport& now);

/// Whether a description can be the answer to the open offer.
[[nodiscard]] std::expected<void, Error> check_answer(const PeerConnectionState& state,
                                                      const Offer& answer);

}  // namespace runnel::negotiation
