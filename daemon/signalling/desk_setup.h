// Config -> what the desk and the signalling server are told.
#pragma once

#include <expected>
#include <vector>

#include "config/config.h"
#include "config/loader.h"
#include "core/session/settings.h"
#include "daemon/port_plan.h"
#include "daemon/signalling/origin_policy.h"
#include "daemon/signalling/server.h"
#include "daemon/udp_socket.h"

namespace runnel::daemon {

/// Relay i of the configuration is relay i of the engine. `sockets` by PortIndex, as bound.
[[nodiscard]] session::DeskSettings desk_settings(const config::Config& config,
                                                  const PortPlan& plan,
                                                  const std::vector<UdpSocket>& sockets);
/// Without TLS.
[[nodiscard]] ServerSettings server_settings(const config::Config& config);
[[nodiscard]] std::expected<OriginPolicy, config::Problem> origin_policy(
    const config::Config& config);

}  // namespace runnel::daemon
