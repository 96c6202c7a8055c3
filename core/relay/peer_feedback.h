// What we tell a peer of what it sends: what is missing, what has arrived when, and how much it may
// send.
#pragma once

#include "core/relay/engine_state.h"
#include "core/relay/sealer.h"
#include "core/rtp/rtcp_writer.h"

namespace runnel::relay {

/// So that what is due is told in time. Of a peer that sends.
void set_link_deadline(EngineState& state, const PeerLink& link) noexcept;
/// Of transport-wide arrivals, until the outbox is full or all that is due is in it.
void deliver_transport_feedback(EngineState& state, Outbox& outbox, Sealer& sealer) noexcept;

/// Appends a NACK of what is missing now; a key frame is wanted when some of it is given up.
/// Nothing of other sources.
void write_missing(EngineState& state, SourceTrack& track, std::uint32_t sender_ssrc,
                   rtp::RtcpWriter& writer) noexcept;
/// There is nobody to ask.
void forget_missing(EngineState& state, SourceTrack& track) noexcept;
/// Appends what the publisher may send, where it asks for that and takes no transport-wide
/// feedback.
void write_allowance(EngineState& state, const SourceTrack& track, std::uint32_t sender_ssrc,
                     rtp::RtcpWriter& writer) noexcept;

}  // namespace runnel::relay
