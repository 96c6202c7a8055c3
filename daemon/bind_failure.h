// A port that cannot be had, as a sentence with a remedy.
#pragma once

#include <cstdint>

#include "config/loader.h"
#include "core/base/address.h"
#include "daemon/system_error.h"

namespace runnel::daemon {

enum class Transport : std::uint8_t { udp, tcp };

/// `origin` is where the configuration asks for `address`.
[[nodiscard]] config::Problem explain_bind_failure(Transport transport,
                                                   const SocketAddress& address,
                                                   const config::Origin& origin,
                                                   const SystemError& error);

}  // namespace runnel::daemon
