// Whether a relay or a leg can be taken in beside those that are there.
#pragma once

#include <expected>

#include "core/relay/engine.h"

namespace runnel::relay {

// All change nothing, and answer the first fault that they find.

[[nodiscard]] std::expected<void, RelayError> check_relay(const EngineState& state,
                                                          const RelayDescription& relay);
/// Of another source for a relay that is there.
[[nodiscard]] std::expected<void, RelayError> check_replacement(const EngineState& state,
                                                                std::uint32_t relay,
                                                                const SourceLeg& from);
/// Of another receiver for a relay that is there.
[[nodiscard]] std::expected<void, RelayError> check_receiver(const EngineState& state,
                                                             std::uint32_t relay,
                                                             const ReceiverLeg& leg);

}  // namespace runnel::relay
