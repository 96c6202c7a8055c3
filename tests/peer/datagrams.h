// Datagrams that a test's peer wants sent.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "core/base/bytes.h"

namespace runnel::test {

using Bytes = std::vector<std::uint8_t>;
using Datagrams = std::deque<Bytes>;

[[nodiscard]] inline Bytes to_bytes(ByteView view) {
  return {view.begin(), view.end()};
}

}  // namespace runnel::test
