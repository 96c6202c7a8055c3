// Turns a port plan into sockets, and every refusal into a sentence with a remedy.
#pragma once

#include <expected>
#include <string>
#include <vector>

#include "config/loader.h"
#include "daemon/port_plan.h"
#include "daemon/udp_socket.h"

namespace runnel::daemon {

struct BoundPorts {
  std::vector<UdpSocket> sockets;     // by PortIndex
  std::vector<std::string> warnings;  // buffers that are smaller than configured
};

/// Binds all or none; what is wrong is told of every port.
[[nodiscard]] std::expected<BoundPorts, std::vector<config::Problem>> bind_ports(
    const PortPlan& plan, const config::Limits& limits);

/// Whether a socket of IPv6 can be had at all.
[[nodiscard]] bool has_ipv6() noexcept;

}  // namespace runnel::daemon
