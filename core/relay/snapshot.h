// The statistics of a relay, copied out of its tracks.
#pragma once

#include "core/relay/engine_state.h"

namespace runnel::relay {

[[nodiscard]] RelayStatistics snapshot(const EngineState& state, std::size_t relay_index);

}  // namespace runnel::relay
