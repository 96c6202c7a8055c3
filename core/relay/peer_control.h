// RTCP from a peer: of what it sends and of what it receives, in one compound.
#pragma once

#include "core/relay/engine_state.h"

namespace runnel::relay {

/// `clear` is authenticated and decrypted.
void take_peer_control(EngineState& state, PeerLink& link, const SocketAddress& from,
                       ByteView clear) noexcept;

}  // namespace runnel::relay
