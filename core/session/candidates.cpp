#include "core/session/candidates.h"

#include <algorithm>
#include <array>

#include "core/ice/candidate.h"

namespace runnel::session {
namespace {

using Addresses = std::vector<SocketAddress>;

IpAddress loopback(bool is_v4) {
  std::array<std::uint8_t, 16> v6{};
  v6.back() = 1;
  return is_v4 ? IpAddress::v4({127, 0, 0, 1}) : IpAddress::v6(v6);
}

void add_announced(const DeskSettings& settings, const SocketAddress& bound, Addresses& out) {
  const std::size_t before = out.size();
  for (const std::string& announced : settings.addresses) {
    const auto ip = IpAddress::parse(announced);
    if (ip && ip->is_v4() == bound.ip.is_v4()) out.push_back({*ip, bound.port});
  }
  const bool is_bound_elsewhere = !bound.ip.is_unspecified() && !bound.ip.is_loopback();
  if (out.size() == before && is_bound_elsewhere) out.push_back(bound);
}

void add_loopback(const SocketAddress& bound, Addresses& out) {
  if (bound.ip.is_loopback()) out.push_back(bound);
  if (bound.ip.is_unspecified()) out.push_back({loopback(bound.ip.is_v4()), bound.port});
}

Addresses addresses_for(const DeskSettings& settings, const Addresses& bound,
                        const IpAddress& client) {
  Addresses out;
  for (const SocketAddress& port : bound) add_announced(settings, port, out);
  if (client.is_loopback() || out.empty()) {
    for (const SocketAddress& port : bound) add_loopback(port, out);
  }
  return out;
}

}  // namespace

std::vector<std::string> candidates_for(const DeskSettings& settings, const IpAddress& client) {
  Addresses ports;
  for (const MediaPort& port : settings.media_ports) ports.push_back(port.address);
  const Addresses udp = addresses_for(settings, ports, client);
  const Addresses tcp = addresses_for(settings, settings.webrtc.tcp_ports, client);
  std::vector<std::string> texts;
  for (const ice::Candidate& candidate : ice::host_candidates(udp, tcp)) {
    texts.push_back(candidate.to_string());
  }
  return texts;
}

}  // namespace runnel::session
