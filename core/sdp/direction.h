// Who sends in a medium or a header extension (RFC 8866 §6.7), as seen by who says it.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace runnel::sdp {

enum class Direction : std::uint8_t { inactive, sendonly, recvonly, sendrecv };

[[nodiscard]] std::string_view to_string(Direction direction) noexcept;
[[nodiscard]] std::optional<Direction> parse_direction(std::string_view text) noexcept;

[[nodiscard]] constexpr bool sends(Direction direction) noexcept {
  return direction == Direction::sendonly || direction == Direction::sendrecv;
}
[[nodiscard]] constexpr bool receives(Direction direction) noexcept {
  return direction == Direction::recvonly || direction == Direction::sendrecv;
}
/// As the other side sees it.
[[nodiscard]] constexpr Direction reversed(Direction direction) noexcept {
  if (direction == Direction::sendonly) return Direction::recvonly;
  if (direction == Direction::recvonly) return Direction::sendonly;
  return direction;
}

}  // namespace runnel::sdp
