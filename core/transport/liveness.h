// How long a peer may take and be silent: connecting, consent, stalls, and how it ends.
#pragma once

#include "core/transport/event.h"

namespace runnel::transport {

struct Peer;
struct TransportsState;

/// An authentic check of the peer has come, or something else of it.
void note_authentic(TransportsState& state, Peer& peer) noexcept;
/// An authentic packet of media. Nothing before it is connected.
void note_media(TransportsState& state, Peer& peer) noexcept;
/// Sets the peer's deadline anew, after what it depends on has changed. What only puts it off need
/// not tell: a deadline that comes too early sets itself anew.
void set_deadline(TransportsState& state, Peer& peer) noexcept;
/// Deals with deadlines that are over, a bounded number of them.
void handle_deadlines(TransportsState& state) noexcept;
/// Both a nominated path and keys: it is connected. Nothing when one is missing, or when it was
/// before.
void connect_when_complete(TransportsState& state, Peer& peer) noexcept;
/// Nothing is sent to it and accepted from it any more, and only its identity and keys stay:
/// whoever is about to use the keys may still do so. Must not have ended before.
void end(TransportsState& state, Peer& peer, PeerEndReason reason) noexcept;

}  // namespace runnel::transport
