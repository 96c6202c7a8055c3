// What the network or the kernel refused to carry.
#pragma once

#include "core/relay/datagram_owner.h"
#include "core/relay/engine_state.h"

namespace runnel::relay {

/// A datagram that `drain` handed out was not sent.
void note_send_failure(EngineState& state, DatagramOwner owner, DropReason reason) noexcept;
/// Nobody is at `destination`, which is sent to from `port`.
void note_unreachable(EngineState& state, PortIndex port,
                      const SocketAddress& destination) noexcept;

}  // namespace runnel::relay
