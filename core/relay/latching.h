// Receivers that show where they are: what latches them, and how they leave again.
#pragma once

#include "core/relay/engine_state.h"

namespace runnel::relay {

/// Whether a receiver of the leg that uses `port` waits for its address to be shown.
[[nodiscard]] bool waits_for_address(const EngineState& state, const ReceiverLegState& leg,
                                     PortIndex port) noexcept;

/// An authenticated packet came from `from`, RTCP of the SSRC `reporter` or RTP (nullopt): the
/// receivers of the leg that use `port` and wait, for this SSRC or for any, are there. Except those
/// that have said BYE from there, for a second, since that packet may have been overtaken by the
/// BYE; and for as long as others of the leg are there, since it is about these.
void latch_waiting(EngineState& state, ReceiverLegState& leg, PortIndex port,
                   const SocketAddress& from, std::optional<std::uint32_t> reporter) noexcept;

/// The receiver has said BYE. A latched one gets nothing more, until somebody is latched again.
void receiver_said_goodbye(EngineState& state, ReceiverTrack& receiver) noexcept;

/// Releases the latched receivers of the track that are lost, so that others can be latched: those
/// that have reported once, and of which nothing authenticated has come for EngineLimits::hold (25
/// s at least), and those that the network has been refusing for EngineLimits::stall. To be called
/// now and then while the track is live; costs a look at each receiver.
void release_lost_receivers(EngineState& state, const SourceTrack& track) noexcept;

}  // namespace runnel::relay
