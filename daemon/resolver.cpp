#include "daemon/resolver.h"

#include <algorithm>
#include <cstring>
#include <netdb.h>
#include <utility>

#include <spdlog/fmt/fmt.h>

#include "daemon/socket_address.h"

namespace runnel::daemon {
namespace {

std::vector<IpAddress> addresses_in(const addrinfo* list) {
  std::vector<IpAddress> addresses;
  for (const addrinfo* entry = list; entry != nullptr; entry = entry->ai_next) {
    KernelAddress kernel_address;
    if (entry->ai_addrlen > sizeof kernel_address) continue;
    std::memcpy(&kernel_address, entry->ai_addr, entry->ai_addrlen);
    const auto address = from_kernel(kernel_address, entry->ai_addrlen);
    if (address) addresses.push_back(address->ip);
  }
  return addresses;
}

}  // namespace

/// One question to the system's resolver. It outlives a resolver that no longer wants the answer.
struct Resolver::Lookup {
  uv_getaddrinfo_t request{};
  Resolver* resolver = nullptr;
  NameKey key;

  static void on_done(uv_getaddrinfo_t* request, int error, addrinfo* list) noexcept {
    const std::unique_ptr<Lookup> lookup(static_cast<Lookup*>(request->data));
    const std::vector<IpAddress> addresses = addresses_in(list);
    uv_freeaddrinfo(list);
    if (lookup->resolver != nullptr) lookup->resolver->on_answer(lookup->key, error, addresses);
  }
};

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

Resolver::~Resolver() {
  for (auto& [key, name] : names_) {
    if (name.lookup == nullptr) continue;
    name.lookup->resolver = nullptr;
    uv_cancel(reinterpret_cast<uv_req_t*>(&name.lookup->request));
  }
}

void Resolver::start() {
  for (auto& [key, name] : names_) {
    name.timer = std::make_unique<Timer>(loop_, [this, &host = key] { look_up(host); });
    look_up(key);
  }
}

bool Resolver::is_busy() const noexcept {
  return std::ranges::any_of(names_,
                             [](const auto& entry) { return entry.second.lookup != nullptr; });
}

void Resolver::look_up(const NameKey& key) {
  auto lookup = std::make_unique<Lookup>();
  lookup->resolver = this;
  lookup->key = key;
  lookup->request.data = lookup.get();
  addrinfo hints{};
  hints.ai_family = key.ipv4 ? AF_INET : AF_INET6;
  hints.ai_socktype = SOCK_DGRAM;
  const int error = uv_getaddrinfo(loop_.get(), &lookup->request, Lookup::on_done, key.host.c_str(),
                                   nullptr, &hints);
  Name& name = names_.at(key);
  if (error != 0) return fail(key, name, error);
  name.lookup = lookup.release();
}

void Resolver::on_answer(const NameKey& key, int error, const std::vector<IpAddress>& addresses) {
  Name& name = names_.at(key);
  name.lookup = nullptr;
  if (error != 0 || addresses.empty()) {
    return fail(key, name, error == 0 ? UV_EAI_NODATA : error);
  }
  const bool has_moved = take(key, name, addresses);
  for (Follower& follower : followers_) {
    if (follower.refused || (has_moved && follower.follows(key))) apply(follower);
  }
}

// A name with several addresses may list them in another order each time; the one in use stays as
// long as it is listed at all.
bool Resolver::take(const NameKey& key, Name& name, const std::vector<IpAddress>& addresses) {
  name.timer->start_once(intervals_.refresh);
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

void Resolver::fail(const NameKey& key, Name& name, int error) {
  name.timer->start_once(intervals_.retry);
  if (std::exchange(name.failing, true)) return;
  log_.warning(fmt::format("cannot find an {} address of {}: {}; {}, and trying again every {} s",
                           key.ipv4 ? "IPv4" : "IPv6", key.host, uv_strerror(error),
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
