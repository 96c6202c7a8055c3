// The calendar as tokens need it: an argument, never something to be asked for.
#pragma once

#include <chrono>

namespace runnel::auth {

/// Seconds since 1970-01-01T00:00:00Z without leap seconds (RFC 7519 §2, NumericDate). The clock
/// has no now(): the daemon reads the calendar and passes the reading down.
struct WallClock {
  using duration = std::chrono::seconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<WallClock, duration>;
  static constexpr bool is_steady = false;
};

using WallTime = WallClock::time_point;

}  // namespace runnel::auth
