#include "daemon/port_plan.h"

#include <algorithm>
#include <limits>
#include <set>
#include <type_traits>

#include "core/base/check.h"

namespace runnel::daemon {

PortPlan::PortPlan(const config::Config& config, bool has_ipv6) {
  for (const config::Listen& listen : config.media) {
    const IpAddress& ip = listen.address.ip;
    if (!has_ipv6 && !ip.is_v4() && ip.is_unspecified()) continue;
    const auto port = static_cast<std::size_t>(add(listen.address, listen.origin));
    ports_[port].shared = true;
  }
  media_port_count_ = ports_.size();
  for (const config::Relay& relay : config.relays) {
    for (const config::SourceMedium& medium : relay.from.media) {
      add(medium.listen.address, medium.listen.origin);
      if (const auto rtcp = medium.rtcp_listen()) add(*rtcp, medium.listen.origin);
    }
  }
  for (const config::Relay& relay : config.relays) {
    for (const config::ReceiverLeg& leg : relay.to) add_receiver(leg);
  }
}

std::optional<relay::PortIndex> PortPlan::find(const SocketAddress& address) const {
  const auto found = indices_.find(address);
  if (found == indices_.end()) return std::nullopt;
  return found->second;
}

std::optional<relay::PortIndex> PortPlan::media_port_for(
    const config::Endpoint& destination) const {
  const auto literal = destination.literal();
  for (std::size_t i = 0; i < media_port_count_; ++i) {
    if (!literal || ports_[i].address.ip.is_v4() == literal->ip.is_v4()) {
      return static_cast<relay::PortIndex>(i);
    }
  }
  return std::nullopt;
}

// The configuration's check of its ports is what keeps the numbers within their type.
relay::PortIndex PortPlan::add(const SocketAddress& address, const config::Origin& origin) {
  static_assert(config::kMostLocalPorts <=
                std::numeric_limits<std::underlying_type_t<relay::PortIndex>>::max());
  const auto next = static_cast<relay::PortIndex>(ports_.size());
  const auto [known, is_new] = indices_.try_emplace(address, next);
  if (is_new) {
    RUNNEL_CHECK(ports_.size() < config::kMostLocalPorts);
    ports_.push_back({.address = address, .origin = origin});
  }
  return known->second;
}

// A port that another receiver leg already has becomes a shared one.
void PortPlan::add_receiver(const config::ReceiverLeg& leg) {
  std::set<relay::PortIndex> of_this_leg;
  const auto use = [&](const SocketAddress& address, const config::Origin& origin) {
    const bool is_new = !find(address);
    const relay::PortIndex port = add(address, origin);
    const bool is_first_use = of_this_leg.insert(port).second;
    if (!is_new && is_first_use) ports_[static_cast<std::size_t>(port)].shared = true;
  };
  for (const config::ReceiverMedium& medium : leg.media) {
    if (!medium.listen) continue;
    use(medium.listen->address, medium.listen->origin);
    if (const auto rtcp = medium.rtcp_listen()) use(*rtcp, medium.listen->origin);
  }
}

}  // namespace runnel::daemon
