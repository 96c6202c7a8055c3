// What time it is, by both clocks that matter to a session.
#pragma once

#include <cstdint>

#include "core/base/time.h"

namespace runnel::session {

/// One reading of the clocks at a wake-up.
struct Moment {
  Timestamp now{};                     // monotonic: deadlines, rates
  std::int64_t unix_microseconds = 0;  // wall clock: expiry of tokens, time of day of media

  [[nodiscard]] std::int64_t unix_seconds() const noexcept { return unix_microseconds / 1'000'000; }
};

}  // namespace runnel::session
