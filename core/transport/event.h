// What happened to a peer that somebody has to know.
#pragma once

#include <cstdint>
#include <string_view>
#include <variant>

#include "core/base/path.h"
#include "core/transport/peer_description.h"

namespace runnel::transport {

/// Path, handshake and keys are there: media flows from now on.
struct PeerConnected {
  PeerId peer{};
  Path path;
};
/// A check that the peer has authenticated came by another path, and media goes there from now on.
struct PeerMoved {
  PeerId peer{};
  Path path;
};
/// The connection that its media went by was closed (ICE-TCP). Nothing is sent until a check comes
/// by another path.
struct PeerPathClosed {
  PeerId peer{};
  Path path;
};
/// Nothing authentic has come for TransportLimits::stall.
struct PeerStalled {
  PeerId peer{};
};
/// Something has come again.
struct PeerResumed {
  PeerId peer{};
};
enum class PeerEndReason : std::uint8_t {
  never_connected,    // no path, or no handshake, within TransportLimits::connect
  handshake_failed,   // DTLS ended with an alert
  wrong_fingerprint,  // its certificate is not the one that it has announced
  no_common_profile,  // it offers no SRTP profile that is known here
  closed,             // it said close_notify
  consent_lost,       // neither check nor media for TransportLimits::consent (RFC 7675)
};
[[nodiscard]] std::string_view to_string(PeerEndReason reason) noexcept;
/// It is over; nothing more is sent or accepted. The peer stays known until it is removed.
struct PeerEnded {
  PeerId peer{};
  PeerEndReason reason = PeerEndReason::closed;
};

using Event =
    std::variant<PeerConnected, PeerMoved, PeerPathClosed, PeerStalled, PeerResumed, PeerEnded>;

}  // namespace runnel::transport
