// From datagrams to authenticated, decrypted packets at the track or leg that they are for.
#pragma once

#include <span>

#include "core/relay/engine_state.h"

namespace runnel::relay {

/// Classifies, finds the leg by port or path, asks its allow list, unprotects as many as possible
/// together, and hands what is authentic on, in the order of arrival. Until then a datagram changes
/// nothing but counters.
void take_datagrams(EngineState& state, std::span<const IncomingDatagram> batch) noexcept;

/// Where drops of a port are counted that no single track can be blamed for: its first track, or
/// the stray drops.
[[nodiscard]] DropCounters& drops_of(EngineState& state, PortIndex port) noexcept;

}  // namespace runnel::relay
