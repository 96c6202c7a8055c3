// Legs that travel by a peer: how they come to it, leave it, and follow its path.
#pragma once

#include "core/relay/engine_state.h"
#include "core/transport/event.h"

namespace runnel::relay {

/// The link of a peer that the Transports hold; made when this is its first leg.
[[nodiscard]] std::uint32_t link_to(EngineState& state, transport::PeerId peer);
/// Forgets it when it has no leg any more.
void leave_link(EngineState& state, std::uint32_t link);

/// Gives the receiver the peer's path and keys, or takes them away while there are none.
void place_on_link(EngineState& state, ReceiverTrack& receiver) noexcept;
/// We send nothing more to the peer under this SSRC of ours, which is drawn for nobody else.
void forget_sent(EngineState& state, std::uint32_t link, std::uint32_t ssrc) noexcept;
/// A peer that is not connected has no use for a key frame yet, and gets one when it is.
[[nodiscard]] inline bool can_be_reached(const ReceiverTrack& receiver) noexcept {
  return !receiver.link || receiver.rtp_destination;
}
/// The peer's legs follow what has happened to it.
void take_peer_event(EngineState& state, const transport::Event& event) noexcept;

}  // namespace runnel::relay
