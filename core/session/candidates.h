// Where peer connections may reach this server, as one client is told.
#pragma once

#include <string>
#include <vector>

#include "core/base/address.h"
#include "core/session/settings.h"

namespace runnel::session {

/// The values of a=candidate: every announced address with each UDP and ICE-TCP port of its family,
/// or, where none is announced, the address that the port is bound to. The loopback address is told
/// to clients on this machine, and to others only when there is nothing else.
[[nodiscard]] std::vector<std::string> candidates_for(const DeskSettings& settings,
                                                      const IpAddress& client);

}  // namespace runnel::session
