// Which UDP ports a configuration needs, each once, and who uses it.
#pragma once

#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "config/config.h"
#include "core/relay/relay_description.h"

namespace runnel::daemon {

struct PlannedPort {
  SocketAddress address;
  config::Origin origin;  // of its first use
  /// Receiver legs of any relays, told apart by their path.
  bool shared = false;
};

/// Ports are numbered in the order in which the configuration names them. Nothing is bound yet.
/// More of them than config::kMostLocalPorts, which the loader refuses, are a bug and abort.
class PortPlan {
 public:
  /// Without IPv6 on the machine, the IPv6 wildcards of listen.media are left out: they are there
  /// by default and mean "wherever that is possible".
  PortPlan(const config::Config& config, bool has_ipv6);

  [[nodiscard]] const std::vector<PlannedPort>& ports() const noexcept { return ports_; }
  /// Those of listen.media, which are the first ones.
  [[nodiscard]] std::span<const PlannedPort> media_ports() const noexcept {
    return std::span(ports_).first(media_port_count_);
  }
  /// nullopt when the plan has no such port.
  [[nodiscard]] std::optional<relay::PortIndex> find(const SocketAddress& address) const;
  /// The port of listen.media that sends to `destination`: the first of its address family. A name,
  /// whose family is not known yet, gets the first port of all and is resolved accordingly.
  [[nodiscard]] std::optional<relay::PortIndex> media_port_for(
      const config::Endpoint& destination) const;

 private:
  relay::PortIndex add(const SocketAddress& address, const config::Origin& origin);
  void add_receiver(const config::ReceiverLeg& leg);

  std::vector<PlannedPort> ports_;
  std::unordered_map<SocketAddress, relay::PortIndex, SocketAddressHash> indices_;
  std::size_t media_port_count_ = 0;  // they come first
};

}  // namespace runnel::daemon
