// Relays and their legs come and go, all of what the packet path will need made beforehand.
#pragma once

#include <cstdint>

#include "core/relay/engine_state.h"

namespace runnel::relay {

// Admission has found nothing against what is added or replaced.

/// Answers the relay's number.
std::uint32_t add_relay(EngineState& state, RelayDescription&& described);
void remove_relay(EngineState& state, std::uint32_t relay);
void replace_source(EngineState& state, std::uint32_t relay, SourceLeg&& from);
void detach_source(EngineState& state, std::uint32_t relay);
/// Answers the receiver's number in the relay.
std::uint32_t add_receiver(EngineState& state, std::uint32_t relay, ReceiverLeg&& leg);

/// Gives the numbers of departed ones free whose events have been taken.
void bury_departed(EngineState& state);

}  // namespace runnel::relay
