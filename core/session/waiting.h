// Subscriptions that wait for their stream to be published.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "core/session/desk_state.h"

namespace runnel::session {

/// Bytes of the session description that it would keep.
[[nodiscard]] std::size_t offer_size(const signalling::Subscribe& wish) noexcept;

/// Numbers it and keeps it, until it is taken or its session ends.
std::uint64_t add_waiting(DeskState& state, WaitingSubscription waiting);
/// Nobody waits any more under this number. nullopt: nobody did.
[[nodiscard]] std::optional<WaitingSubscription> take_waiting(DeskState& state,
                                                              std::uint64_t number);
/// The numbers of those that wait for `stream`, in the order in which they came.
[[nodiscard]] std::vector<std::uint64_t> waiting_for(const DeskState& state,
                                                     std::string_view stream);

}  // namespace runnel::session
