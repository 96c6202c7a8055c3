#include "daemon/resolver.h"

#include <algorithm>
#include <utility>

#include <spdlog/fmt/fmt.h>

namespace runnel::daemon {

Resolver::Resolver(EventLoop& loop, std::vector<NamedDestination> destinations, Apply apply,
                   Log& log, const LookupIntervals& intervals)
    : loop_(loop), apply_(std::move(apply)), log_(log), intervals_(intervals) {
  followers_.reserve(destinations.size());
  for (NamedDestination& destination : destinations) {
    for (const config::Endpoint& endpoint : {destination.rtp, destination.rtcp}) {
      if (!endpoint.literal()) names_.try_emplace({endpoint.host, destination.ipv4});
    }
    followers_.push_back({std::move(destination), std::nullopt});
  }
}

void Resolver::start() {
  for (auto& [key, name] : names_) {
    name.lookup = std::make_unique<NameLookup>(
        loop_, key.host, key.ipv4 ? AddressFamily::ipv4 : AddressFamily::ipv6,
        [this, &key, &name](const NameLookup::Answer& answer) { on_answer(key, name, answer); },
        intervals_);
    name.lookup->start();
  }
}

bool Resolver::is_busy() const noexcept {
  return std::ranges::any_of(names_, [](const auto& entry) {
    return entry.second.lookup && entry.second.lookup->is_busy();
  });
}

void Resolver::on_answer(const NameKey& key, Name& name, const NameLookup::Answer& answer) {
  if (!answer) return fail(key, name, answer.error());
  const bool has_moved = take(key, name, *answer);
  for (Follower& follower : followers_) {
    if (follower.refused || (has_moved && follower.follows(key))) apply(follower);
  }
}

// A name with several addresses may list them in another order each time; the one in use stays as
// long as it is listed at all.
bool Resolver::take(const NameKey& key, Name& name, const std::vector<IpAddress>& addresses) {
  name.failing = false;
  if (name.address && std::ranges::find(addresses, *name.address) != addresses.end()) {
    return false;
  }
  const auto before = std::exchange(name.address, addresses.front());
  const std::string address = name.address->to_string();
  log_.info(before
                ? fmt::format("{} has moved from {} to {}", key.host, before->to_string(), address)
                : fmt::format("{} is {}", key.host, address),
            {{"event", "name_resolved"}, {"name", key.host}, {"address", address}});
  return true;
}

void Resolver::fail(const NameKey& key, Name& name, const std::string& why) {
  if (std::exchange(name.failing, true)) return;
  log_.warning(fmt::format("cannot find an {} address of {}: {}; {}, and trying again every {} s",
                           key.ipv4 ? "IPv4" : "IPv6", key.host, why,
                           name.address ? "staying with " + name.address->to_string()
                                        : "its receivers get nothing",
                           std::chrono::ceil<std::chrono::seconds>(intervals_.retry).count()),
               {{"event", "name_not_resolved"}, {"name", key.host}});
}

bool Resolver::Follower::follows(const NameKey& key) const noexcept {
  return destination.ipv4 == key.ipv4 &&
         (destination.rtp.host == key.host || destination.rtcp.host == key.host);
}

void Resolver::apply(Follower& follower) {
  const NamedDestination& destination = follower.destination;
  const auto rtp = address_of(destination.rtp, destination.ipv4);
  const auto rtcp = address_of(destination.rtcp, destination.ipv4);
  if (!rtp || !rtcp) return;
  const std::string origin = destination.rtp.origin.to_string();
  const std::string address = rtp->to_string();
  const bool is_accepted = apply_(destination.receiver, *rtp, *rtcp);
  const auto refused_before = std::exchange(
      follower.refused, is_accepted ? std::nullopt : std::optional<SocketAddress>(*rtp));
  if (is_accepted && refused_before) {
    log_.info(fmt::format("{}: {} is free now and receives", origin, address),
              {{"event", "destination_free"}, {"destination", address}});
  } else if (!is_accepted && refused_before != rtp) {
    log_.warning(fmt::format("{}: {} already belongs to another receiver on the same local port; "
                             "trying again whenever names are looked up, but better give one of "
                             "the two its own 'listen'",
                             origin, address),
                 {{"event", "destination_in_use"}, {"destination", address}});
  }
}

std::optional<SocketAddress> Resolver::address_of(const config::Endpoint& endpoint,
                                                  bool ipv4) const {
  if (const auto literal = endpoint.literal()) return literal;
  const auto name = names_.find({endpoint.host, ipv4});
  if (name == names_.end() || !name->second.address) return std::nullopt;
  return SocketAddress{*name->second.address, endpoint.port};
}

}  // namespace runnel::daemon
