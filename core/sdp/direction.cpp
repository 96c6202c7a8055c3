#include "core/sdp/direction.h"

#include <array>
#include <cstddef>

namespace runnel::sdp {
namespace {

constexpr std::array<std::string_view, 4> kNames = {"inactive", "sendonly", "recvonly", "sendrecv"};

}  // namespace

std::string_view to_string(Direction direction) noexcept {
  return kNames[static_cast<std::size_t>(direction)];
}

std::optional<Direction> parse_direction(std::string_view text) noexcept {
  for (std::size_t i = 0; i < kNames.size(); ++i) {
    if (kNames[i] == text) return static_cast<Direction>(i);
  }
  return std::nullopt;
}

}  // namespace runnel::sdp
