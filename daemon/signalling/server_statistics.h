// How signalling has been used, and what it had to refuse.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/session/desk.h"
#include "daemon/log_line.h"

namespace runnel::daemon {

/// Totals since the start, less what is open now.
struct ServerStatistics {
  std::size_t connections = 0;  // now
  std::size_t websockets = 0;   // now, of these
  std::size_t media_paths = 0;  // now, of these: ICE-TCP
  std::uint64_t accepted = 0;
  std::uint64_t refused = 0;               // by limits.connections or connections_per_address
  std::uint64_t requests = 0;              // HTTP, those for a WebSocket included
  std::uint64_t timed_out = 0;             // requests that did not come in time
  std::uint64_t failed = 0;                // connections that ended in an error
  std::uint64_t too_slow = 0;              // closed with 1013
  std::uint64_t refused_media = 0;         // messages for which there was no room
  std::uint64_t discarded_statistics = 0;  // likewise

  friend bool operator==(const ServerStatistics&, const ServerStatistics&) = default;
};

/// "signalling: 12 connections (10 WebSockets), 10 sessions, 3 streams, ...".
[[nodiscard]] LogLine describe(const ServerStatistics& server, const session::Desk::Counts& desk);

}  // namespace runnel::daemon
