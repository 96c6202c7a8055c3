// The source leg of a relay, which comes and goes while the tracks and their receivers stay.
#pragma once

#include "core/relay/engine_state.h"

namespace runnel::relay {

/// Gives the relay a source; it has none. `check_relay` or `check_replacement` has found nothing
/// against it. The tracks are there, one for each medium.
void attach_source(EngineState& state, std::uint32_t relay, SourceLeg&& from);

/// The opposite: a BYE to it waits in the farewells, and nothing of it is known any more. The
/// tracks keep their state, their place on the line and their receivers. Nothing happens when there
/// is no source.
void release_source(EngineState& state, std::uint32_t relay);

}  // namespace runnel::relay
