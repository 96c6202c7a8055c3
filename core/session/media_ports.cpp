#include "core/session/media_ports.h"

#include <algorithm>

namespace runnel::session {

const MediaPort* port_towards(const DeskSettings& settings, const IpAddress& peer) {
  const auto found = std::ranges::find_if(settings.media_ports, [&](const MediaPort& port) {
    return port.address.ip.is_v4() == peer.is_v4();
  });
  return found == settings.media_ports.end() ? nullptr : &*found;
}

std::vector<std::string> addresses_of(const DeskSettings& settings, const MediaPort& port,
                                      const IpAddress& client) {
  if (!port.address.ip.is_unspecified()) return {port.address.ip.to_string()};
  if (client.is_loopback()) return {client.to_string()};
  std::vector<std::string> addresses;
  for (const std::string& announced : settings.addresses) {
    const auto literal = IpAddress::parse(announced);
    if (!literal || literal->is_v4() == port.address.ip.is_v4()) addresses.push_back(announced);
  }
  return addresses;
}

}  // namespace runnel::session
