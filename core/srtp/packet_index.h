// The 48-bit packet index, rollover counter and sequence number together, and its estimation (RFC
// 3711 §3.3.1 and Appendix A).
#pragma once

#include <cstdint>
#include <expected>

#include "core/srtp/error.h"

namespace runnel::srtp {

inline constexpr std::uint64_t kMaxPacketIndex = (std::uint64_t{1} << 48) - 1;
/// After so many packets the sequence number begins anew and the rollover counter goes on by one.
inline constexpr std::uint64_t kSequenceNumbers = std::uint64_t{1} << 16;
inline constexpr std::uint32_t kMaxSrtcpIndex = 0x7fff'ffff;

[[nodiscard]] constexpr std::uint64_t packet_index(std::uint32_t rollover_counter,
                                                   std::uint16_t sequence_number) noexcept {
  return (std::uint64_t{rollover_counter} << 16) | sequence_number;
}
[[nodiscard]] constexpr std::uint32_t rollover_counter(std::uint64_t index) noexcept {
  return static_cast<std::uint32_t>(index >> 16);
}

/// The index that `sequence_number` most likely has, when `highest` is the highest one so far.
/// Where the appendix computes modulo 2^32, there is no such packet: before index 0 (`too_old`),
/// or beyond the last index, where the key has to be replaced (`key_expired`).
[[nodiscard]] constexpr std::expected<std::uint64_t, Error> estimate_packet_index(
    std::uint64_t highest, std::uint16_t sequence_number) noexcept {
  const auto highest_sequence_number = static_cast<std::int32_t>(highest & 0xffff);
  const std::int32_t difference = sequence_number - highest_sequence_number;
  std::uint64_t rollovers = highest >> 16;
  if (highest_sequence_number < 0x8000) {
    if (difference > 0x8000) {
      if (rollovers == 0) return std::unexpected(Error::too_old);
      --rollovers;
    }
  } else if (difference < -0x8000) {
    ++rollovers;
  }
  const std::uint64_t index = (rollovers << 16) | sequence_number;
  if (index > kMaxPacketIndex) return std::unexpected(Error::key_expired);
  return index;
}

}  // namespace runnel::srtp
