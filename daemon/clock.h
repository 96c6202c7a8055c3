// The daemon's source of time.
#pragma once

#include <cstdint>

#include "core/base/time.h"

namespace runnel::daemon {

/// CLOCK_MONOTONIC: never runs back and never jumps, whatever is done to the calendar. The same
/// origin as uv_now, which is in milliseconds. Read once for each wake-up.
[[nodiscard]] Timestamp read_clock() noexcept;

/// The calendar: microseconds since 1970-01-01T00:00:00Z. May be set to anything at any time.
[[nodiscard]] std::int64_t read_wall_clock() noexcept;

}  // namespace runnel::daemon
