// Makes the legs and tracks of a relay that has been checked.
#pragma once

#include <cstddef>

#include "core/relay/engine.h"

namespace runnel::relay {

/// Reserves everything that the packet path will need, so that it need not allocate. Answers the
/// relay's index.
std::size_t build_relay(EngineState& state, RelayDescription&& relay);

}  // namespace runnel::relay
