// What an H.264 decoder must be able to do, from profile-level-id (RFC 6184 §8.1).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace runnel::negotiation {

enum class H264Profile : std::uint8_t {
  constrained_baseline,
  baseline,
  main,
  constrained_high,
  high,
  high_444_predictive,
};

/// "42e01f": profile, constraint flags and level in hexadecimal digits. nullopt: of another form,
/// or another profile. The level is not looked at, since browsers state one that they go beyond.
[[nodiscard]] std::optional<H264Profile> h264_profile(std::string_view profile_level_id) noexcept;

/// How well a decoder for `received` takes `sent`: 3 the same, 2 in practice the same, 1 more than
/// needed, 0 not.
///
/// Baseline without its error resilience tools, which no encoder of today uses, is constrained
/// baseline; high without interlacing is constrained high.
[[nodiscard]] int suitability(H264Profile sent, H264Profile received) noexcept;

}  // namespace runnel::negotiation
