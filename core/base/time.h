// Time as the core sees it: an argument, never something to be asked for.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>

namespace runnel {

/// The clock of all `Timestamp`s. It has no now(): the daemon reads the monotonic clock once for
/// each wake-up and passes the reading down; tests pass whatever they like.
struct EngineClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<EngineClock, duration>;
  static constexpr bool is_steady = true;
};

using Duration = EngineClock::duration;
using Timestamp = EngineClock::time_point;

/// An NTP timestamp in 32.32 fixed point (RFC 3550 §4): seconds since 1900 and their fraction.
struct NtpTime {
  std::uint64_t value = 0;

  /// The middle 32 bits, as report blocks carry them (LSR).
  [[nodiscard]] constexpr std::uint32_t middle() const noexcept {
    return static_cast<std::uint32_t>(value >> 16);
  }
  friend constexpr auto operator<=>(const NtpTime&, const NtpTime&) = default;
};

/// A media timestamp in units of the codec's clock rate; it wraps (RFC 3550 §5.1).
struct RtpTime {
  std::uint32_t value = 0;

  friend constexpr bool operator==(const RtpTime&, const RtpTime&) = default;
};

}  // namespace runnel
