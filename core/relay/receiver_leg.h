// A receiver leg comes and goes.
#pragma once

#include "core/relay/engine_state.h"

namespace runnel::relay {

/// `check_relay` or `check_receiver` has found nothing against it. Answers its number in the relay.
std::uint32_t build_receiver_leg(EngineState& state, std::uint32_t relay, ReceiverLeg&& described);

/// Nothing is sent to a paused leg; when it goes on, it needs a key frame.
void set_paused(EngineState& state, ReceiverLegState& leg, bool paused) noexcept;

/// A BYE for each medium waits in the farewells; what the leg had is free for others. The leg and
/// its receivers stay in their tables, unreachable, for whoever looks up names, until `bury_leg`.
void remove_receiver_leg(EngineState& state, std::uint32_t leg);
void bury_leg(EngineState& state, std::uint32_t leg);

}  // namespace runnel::relay
