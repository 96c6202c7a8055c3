// What simulated packets carry: a number, and bytes that follow from it, so that whoever gets one
// can tell which it is and whether a bit has changed.
#pragma once

#include <cstdint>
#include <optional>

#include "tests/simulation/network.h"

namespace runnel::simulation {

struct Content {
  std::uint32_t number = 0;  // of the packet, over all packets of its publisher
  std::uint32_t frame = 0;
};
inline constexpr std::size_t kMinContentSize = 8;

[[nodiscard]] Bytes make_content(Content content, std::size_t size);
/// nullopt when a byte is not what it was.
[[nodiscard]] std::optional<Content> read_content(ByteView payload);

}  // namespace runnel::simulation
