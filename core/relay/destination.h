// Where a receiver is: resolved, latched, or left.
#pragma once

#include "core/relay/engine_state.h"

namespace runnel::relay {

/// As described, or else by the convention of RFC 3550 §11 the port above that of RTP, unless RTCP
/// shares it. nullopt while the RTP destination is not known.
[[nodiscard]] std::optional<SocketAddress> rtcp_destination(const ReceiverMedium& medium) noexcept;

/// Sends to these addresses from now on. False, and nothing is changed, when on a shared port a
/// path belongs to another leg.
[[nodiscard]] bool place_receiver(EngineState& state, ReceiverTrack& receiver,
                                  const SocketAddress& rtp, const SocketAddress& rtcp);
/// Sends nothing until the receiver is placed again.
void displace_receiver(EngineState& state, ReceiverTrack& receiver) noexcept;

}  // namespace runnel::relay
