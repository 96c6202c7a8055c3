// Time and samples of G.711 at 8000 Hz: one byte every 125 microseconds.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/time.h"

namespace runnel::voice {

inline constexpr Duration kSampleTime = std::chrono::microseconds(125);
inline constexpr std::size_t kSamplesPerMillisecond = 8;
/// What one packet usually holds: 20 ms.
inline constexpr std::size_t kUsualSamples = 160;
inline constexpr Duration kUsualTime = kUsualSamples * kSampleTime;

[[nodiscard]] constexpr Duration time_of(std::size_t samples) noexcept {
  return static_cast<std::int64_t>(samples) * kSampleTime;
}
/// Whole samples; `duration` is not negative.
[[nodiscard]] constexpr std::uint64_t samples_in(Duration duration) noexcept {
  return static_cast<std::uint64_t>(duration / kSampleTime);
}

}  // namespace runnel::voice
