// Where a receiver is: resolved, latched, or left.
#pragma once

#include "core/relay/engine_state.h"

namespace runnel::relay {

/// Sends to these addresses from now on. False, and nothing is changed, when on a shared port a
/// path belongs to another leg.
[[nodiscard]] bool place_receiver(EngineState& state, ReceiverTrack& receiver,
                                  const SocketAddress& rtp, const SocketAddress& rtcp);
/// Sends nothing until the receiver is placed again.
void displace_receiver(EngineState& state, ReceiverTrack& receiver) noexcept;

}  // namespace runnel::relay
