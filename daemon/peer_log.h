// What happens to peer connections, as log lines and as a line of the statistics.
#pragma once

#include "config/config.h"
#include "core/base/path.h"
#include "core/session/desk.h"
#include "core/transport/event.h"
#include "core/transport/transports.h"
#include "daemon/log_line.h"

namespace runnel::daemon {

/// Whom events are about. `transports` is where they come from.
struct PeerSurroundings {
  transport::Transports& transports;
  PortIndex first_tcp_port{};  // ports before it are UDP
  const config::Limits& limits;
  const session::Desk* desk = nullptr;  // which knows whose they are; nullptr: nobody does
};

[[nodiscard]] LogLine describe(const transport::Event& event, const PeerSurroundings& surroundings);

/// "peers: 12 (10 connected); 40 handshakes, 2 failed".
[[nodiscard]] LogLine describe(const transport::Transports::Counts& counts);

}  // namespace runnel::daemon
