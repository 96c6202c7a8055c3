// DTLS of all peers, which take turns: what waits, what is dealt with, and what comes of it.
#pragma once

#include <optional>

#include "core/base/bytes.h"
#include "core/base/drop_reason.h"
#include "core/base/path.h"
#include "core/base/time.h"

namespace runnel::transport {

struct Peer;
struct TransportsState;

/// See Transports::handle_dtls.
[[nodiscard]] std::optional<DropReason> handle_dtls(TransportsState& state, const Path& path,
                                                    ByteView datagram) noexcept;
/// As many turns as there may be now, of each peer one after the other.
void serve_ready(TransportsState& state) noexcept;
/// Something has changed that may let the peer's handshake begin or go on, at its turn.
void consider_turn(TransportsState& state, Peer& peer) noexcept;

/// When a flight wants to be sent again.
[[nodiscard]] std::optional<Timestamp> dtls_deadline(const Peer& peer) noexcept;
void handle_dtls_timeout(TransportsState& state, Peer& peer) noexcept;
/// Says close_notify when there is somebody to tell.
void say_goodbye(TransportsState& state, Peer& peer) noexcept;
/// Frees the association and what waits for it.
void drop_handshake(TransportsState& state, Peer& peer) noexcept;

}  // namespace runnel::transport
