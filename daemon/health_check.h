// Whether a runneld on this machine is alive, asked from outside, as containers do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/address.h"
#include "daemon/command_line.h"
#include "daemon/exit_codes.h"

namespace runnel::daemon {

/// A bound UDP port as /proc/net/udp and /proc/net/udp6 show it.
struct BoundPort {
  SocketAddress address;
  std::uint64_t waiting = 0;  // bytes that have arrived and not been taken

  friend bool operator==(const BoundPort&, const BoundPort&) = default;
};

/// The lines of such a table; what cannot be read is left out.
[[nodiscard]] std::vector<BoundPort> parse_bound_ports(std::string_view table);

/// What speaks against health, as a sentence. `samples` are the same ports at several moments: a
/// port has to be bound in each, and an event loop that turns empties its queue between two.
[[nodiscard]] std::optional<std::string> find_ailment(
    const std::vector<SocketAddress>& expected, const std::vector<std::vector<BoundPort>>& samples);

/// Looks at the ports that the configuration names. Nothing is sent to them.
[[nodiscard]] ExitCode check_health(const HealthCommand& command);

}  // namespace runnel::daemon
