// Elapsed time in the units that RTP and RTCP count in.
#pragma once

#include <chrono>
#include <cstdint>

#include "core/base/time.h"

namespace runnel::relay {

/// `elapsed` in ticks of `clock_rate` Hz, rounded down, modulo 2^32 as RTP time wraps. Negative
/// time counts as none.
[[nodiscard]] constexpr std::uint32_t ticks(Duration elapsed, std::uint32_t clock_rate) noexcept {
  if (elapsed <= Duration::zero()) return 0;
  const auto seconds = std::chrono::floor<std::chrono::seconds>(elapsed);
  const auto rest = static_cast<std::uint64_t>((elapsed - seconds).count());
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(seconds.count()) * clock_rate +
                                    rest * clock_rate / 1'000'000'000);
}

/// The NTP time `elapsed` after `ntp`. Negative time counts as none.
[[nodiscard]] constexpr NtpTime ntp_after(NtpTime ntp, Duration elapsed) noexcept {
  if (elapsed <= Duration::zero()) return ntp;
  const auto seconds = std::chrono::floor<std::chrono::seconds>(elapsed);
  const auto rest = static_cast<std::uint64_t>((elapsed - seconds).count());
  return {ntp.value + (static_cast<std::uint64_t>(seconds.count()) << 32) +
          (rest << 32) / 1'000'000'000};
}

/// Time in units of 1/65536 second, as report blocks carry it (DLSR).
[[nodiscard]] constexpr Duration from_report_units(std::uint32_t units) noexcept {
  return Duration(static_cast<std::int64_t>((std::uint64_t{units} * 1'000'000'000) >> 16));
}

}  // namespace runnel::relay
