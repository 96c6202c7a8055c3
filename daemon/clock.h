// The daemon's one source of time.
#pragma once

#include "core/base/time.h"

namespace runnel::daemon {

/// CLOCK_MONOTONIC: never runs back and never jumps, whatever is done to the calendar. The same
/// origin as uv_now, which is in milliseconds. Read once for each wake-up.
[[nodiscard]] Timestamp read_clock() noexcept;

}  // namespace runnel::daemon
