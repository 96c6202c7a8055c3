// RTP timestamps of one track as microseconds on a line that does not wrap.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "core/base/serial_number.h"
#include "core/base/time.h"

namespace runnel::frames {

inline constexpr std::uint64_t kMicrosecondsPerSecond = 1'000'000;

/// Rounded down.
[[nodiscard]] constexpr std::uint64_t to_microseconds(std::uint64_t ticks,
                                                      std::uint32_t clock_rate) noexcept {
  return ticks / clock_rate * kMicrosecondsPerSecond +
         ticks % clock_rate * kMicrosecondsPerSecond / clock_rate;
}
/// Rounded to the nearest, so that ticks survive the way there and back. Modulo 2^64.
[[nodiscard]] constexpr std::uint64_t to_ticks(std::uint64_t microseconds,
                                               std::uint32_t clock_rate) noexcept {
  return microseconds / kMicrosecondsPerSecond * clock_rate +
         (microseconds % kMicrosecondsPerSecond * clock_rate + kMicrosecondsPerSecond / 2) /
             kMicrosecondsPerSecond;
}

/// Each timestamp is taken as the one nearest to the one before it (RFC 3550 §5.1).
class MediaTime {
 public:
  explicit MediaTime(std::uint32_t clock_rate) noexcept
      : clock_rate_(std::max<std::uint32_t>(clock_rate, 1)) {}

  /// The next timestamp will be called `origin_us`.
  void start(std::uint64_t origin_us) noexcept {
    origin_us_ = origin_us;
    last_.reset();
    ticks_ = 0;
  }
  /// Never below 0, where what comes before the first timestamp may fall with a small origin.
  std::uint64_t at(RtpTime timestamp) noexcept {
    if (last_) ticks_ += serial_distance(last_->value, timestamp.value);
    last_ = timestamp;
    const std::uint64_t distance =
        to_microseconds(static_cast<std::uint64_t>(ticks_ < 0 ? -ticks_ : ticks_), clock_rate_);
    if (ticks_ >= 0) return origin_us_ + distance;
    return distance < origin_us_ ? origin_us_ - distance : 0;
  }
  [[nodiscard]] std::uint32_t clock_rate() const noexcept { return clock_rate_; }

 private:
  std::uint32_t clock_rate_;
  std::uint64_t origin_us_ = 0;
  std::optional<RtpTime> last_;
  std::int64_t ticks_ = 0;
};

}  // namespace runnel::frames
