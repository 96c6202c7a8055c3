// Whether a relay can be taken in beside those that are there.
#pragma once

#include <expected>

#include "core/relay/engine.h"

namespace runnel::relay {

/// Changes nothing. Answers the first fault that it finds.
[[nodiscard]] std::expected<void, RelayError> check_relay(const EngineState& state,
                                                          const RelayDescription& relay);

}  // namespace runnel::relay
