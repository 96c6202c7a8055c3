// The number of a WebSocket that the desk serves.
#pragma once

#include <cstdint>

namespace runnel::session {

/// Never given out twice.
enum class ConnectionId : std::uint64_t {};

}  // namespace runnel::session
