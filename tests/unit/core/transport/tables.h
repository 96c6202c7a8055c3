// Bytes and paths for tests of tables and queues.
#pragma once

#include <cstdint>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/path.h"

namespace runnel::transport::test {

[[nodiscard]] inline Path path(std::uint16_t number) {
  return {.port = PortIndex{0}, .remote = {.ip = IpAddress::v4({192, 0, 2, 1}), .port = number}};
}

[[nodiscard]] inline std::vector<std::uint8_t> bytes(std::uint8_t value, std::size_t size = 4) {
  return std::vector<std::uint8_t>(size, value);
}

}  // namespace runnel::transport::test
