// The ports of listen.signalling.
#pragma once

#include <expected>
#include <vector>

#include "config/loader.h"
#include "daemon/signalling/tcp_listener.h"

namespace runnel::daemon {

/// Binds all or none; what is wrong is told of every port.
[[nodiscard]] std::expected<std::vector<TcpListener>, std::vector<config::Problem>> bind_listeners(
    const std::vector<config::Listen>& addresses);

}  // namespace runnel::daemon
