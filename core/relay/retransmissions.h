// Answers the NACKs of receivers out of what is kept of their encodings.
#pragma once

#include "core/relay/engine_state.h"
#include "core/relay/sealer.h"
#include "core/rtp/rtcp_packet.h"

namespace runnel::relay {

/// What the receiver asks for again waits for deliver_retransmissions, as far as it has agreed on
/// that.
void take_nack(EngineState& state, ReceiverTrack& receiver,
               const rtp::RtcpPacketView& packet) noexcept;
/// Until the outbox is full or all are in it: in a stream of their own (RFC 4588) where that is
/// agreed, else once more as they were. What is no longer kept, or more than the receiver's budget,
/// is passed over.
void deliver_retransmissions(EngineState& state, Outbox& outbox, Sealer& sealer) noexcept;

}  // namespace runnel::relay
