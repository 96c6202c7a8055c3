// Which of the shared UDP ports a leg uses, and how its client reaches it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/session/result.h"
#include "core/session/settings.h"

namespace runnel::session {

/// The first port of the address family of `peer`; nullptr: there is none.
[[nodiscard]] const MediaPort* port_towards(const DeskSettings& settings, const IpAddress& peer);

/// Addresses under which a client finds `port`: the one that it is bound to, or else those of its
/// family that are announced, and names. A client on this machine is told the loopback address.
[[nodiscard]] std::vector<std::string> addresses_of(const DeskSettings& settings,
                                                    const MediaPort& port, const IpAddress& client);

}  // namespace runnel::session
