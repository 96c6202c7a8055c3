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

/// Where media of sessions arrives: the addresses of listen.media; without those, media can come by
/// TCP alone, to those of listen.signalling.
[[nodiscard]] std::vector<IpAddress> bound_for_media(const config::Config& config,
                                                     const PortPlan& plan);

/// Relay i of the configuration is relay i of the engine. `sockets` by PortIndex, as bound. What is
/// announced is told by the Announcer later, and `webrtc` by whoever has the Transports.
[[nodiscard]] session::DeskSettings desk_settings(const config::Config& config,
                                                  const PortPlan& plan,
                                                  const std::vector<UdpSocket>& sockets);
/// Without TLS.
[[nodiscard]] ServerSettings server_settings(const config::Config& config);
[[nodiscard]] std::expected<OriginPolicy, config::Problem> origin_policy(
    const config::Config& config);

}  // namespace runnel::daemon
