// Config -> what the engine is told: descriptions with port numbers instead of addresses.
#pragma once

#include <expected>
#include <vector>

#include "config/config.h"
#include "config/loader.h"
#include "core/relay/engine.h"
#include "daemon/port_plan.h"

namespace runnel::daemon {

/// A receiver's medium whose destination is a name.
struct NamedDestination {
  relay::ReceiverMediumId receiver;
  config::Endpoint rtp;
  config::Endpoint rtcp;
  bool ipv4 = true;  // the address family of the port that sends
};

struct RelaySetup {
  std::vector<relay::RelayDescription> relays;  // in the configuration's order
  std::vector<NamedDestination> names;
};

/// Streams that signalling makes count among the engine's relays.
[[nodiscard]] relay::EngineLimits engine_limits(const config::Config& config);

/// Keys are cloned. The only possible problem is a destination of an address family for which
/// listen.media has no port.
[[nodiscard]] std::expected<RelaySetup, std::vector<config::Problem>> describe_relays(
    const config::Config& config, const PortPlan& plan);

/// Tells the engine of shared ports and relays; relay i of the configuration becomes relay i of the
/// engine. Problems name the relay that the engine refuses.
[[nodiscard]] std::vector<config::Problem> add_relays(relay::Engine& engine,
                                                      const config::Config& config,
                                                      const PortPlan& plan, RelaySetup& setup);

}  // namespace runnel::daemon
