// Datagrams of peers: to their Transports, or as media to their legs.
#pragma once

#include "core/relay/engine_state.h"
#include "core/relay/locating.h"

namespace runnel::relay {

/// Whether the datagram is for the Transports or from one of their peers, which is then answered
/// with whose it is; nullopt: some other leg's. STUN and DTLS are dealt with at once and answered
/// with a refusal that has no counters, or with the one that they deserve.
[[nodiscard]] std::optional<Located> locate_peer(EngineState& state,
                                                 const IncomingDatagram& datagram) noexcept;
/// An authenticated, decrypted RTP packet of the link's peer.
void take_peer_media(EngineState& state, PeerLink& link, const IncomingDatagram& datagram,
                     ByteSpan clear) noexcept;
/// Lets the legs follow what has happened to their peers.
void settle_peers(EngineState& state) noexcept;
/// Where drops are counted that belong to none of the peer's tracks: at its first one.
[[nodiscard]] DropCounters& drops_of(EngineState& state, const PeerLink& link) noexcept;

}  // namespace runnel::relay
