// Counts what operator new is asked for in this program.
#pragma once

#include <cstdint>

namespace runnel::daemon {

/// Allocations of this thread so far.
[[nodiscard]] std::uint64_t allocations_of_this_thread() noexcept;

}  // namespace runnel::daemon
