// Who uses which local port and which destination, and whether packets can be told apart there.
#include <algorithm>
#include <map>
#include <tuple>

#include "config/check_relays.h"

namespace runnel::config {
namespace {

/// A relay's leg: 0 is the source, 1 the first receiver. The shared media ports belong to nobody.
struct LegId {
  std::size_t relay = 0;
  std::size_t leg = 0;

  friend bool operator==(const LegId&, const LegId&) = default;
};

/// One leg's use of a local port or of a path from a local port to a destination.
struct Use {
  LegId leg;
  bool is_rtcp = false;
  bool is_alone = false;  // takes whatever arrives: a source, or a receiver with latch
  std::uint8_t payload_type = 0;
  Origin origin;
};

std::string line_of(const Origin& origin) {
  return origin.line > 0 ? "in line " + std::to_string(origin.line) : "by default";
}

/// "0.0.0.0:5005", or "0.0.0.0:5005 (RTCP)"
std::string named(const std::string& address, const Use& use) {
  return use.is_rtcp ? address + " (for RTCP, the port after RTP)" : address;
}

const Listen* shared_port(const Config& config, const Endpoint& destination) {
  const auto remote = destination.literal();
  const auto fits = [&](const Listen& shared) {
    return !remote || shared.address.ip.is_v4() == remote->ip.is_v4();
  };
  const auto found = std::find_if(config.media.begin(), config.media.end(), fits);
  return found == config.media.end() ? nullptr : &*found;
}

class PortCheck {
 public:
  PortCheck(const Config& config, ProblemList& problems) : config_(config), problems_(problems) {}

  void run() {
    for (const Listen& shared : config_.media) add_shared(shared);
    for (std::size_t i = 0; i < config_.relays.size(); ++i) {
      const Relay& relay = config_.relays[i];
      add_source(relay.from, {i, 0});
      for (std::size_t j = 0; j < relay.to.size(); ++j) {
        add_receiver(relay.to[j], {i, j + 1});
        check_loop(relay.from, relay.to[j]);
      }
    }
    check_wildcards();
  }

 private:
  using PayloadTypeKey = std::tuple<SocketAddress, std::size_t, std::uint8_t>;
  using Path = std::pair<std::string, std::string>;  // local and remote address

  void add_shared(const Listen& shared) {
    const auto [known, is_new] = shared_.try_emplace(shared.address, shared.origin);
    if (is_new) return count_port(shared.origin);
    problems_.error(shared.origin, shared.address.to_string() + " is listed twice",
                    "remove one of the two");
  }

  void add_source(const SourceLeg& source, LegId leg) {
    for (const SourceMedium& medium : source.media) {
      add_ports(medium.listen, medium.rtcp_listen(), leg, true);
      const PayloadTypeKey key{medium.listen.address, leg.relay, medium.payload_type};
      const auto [known, is_new] = payload_types_.try_emplace(key, medium.origin.line);
      if (is_new) continue;
      problems_.error(medium.origin,
                      "payload type " + std::to_string(medium.payload_type) + " on " +
                          medium.listen.address.to_string() + " is already the medium in line " +
                          std::to_string(known->second),
                      "give each medium its own port or its own payload type");
    }
  }

  void add_receiver(const ReceiverLeg& receiver, LegId leg) {
    for (const ReceiverMedium& medium : receiver.media) {
      const bool good = !medium.listen ||
                        add_ports(*medium.listen, medium.rtcp_listen(), leg, receiver.latch_first);
      if (good) add_paths(medium, leg);
    }
  }

  /// False after a problem.
  bool add_ports(const Listen& rtp, const std::optional<SocketAddress>& rtcp, LegId leg,
                 bool is_alone) {
    return add_port(rtp.address, {leg, false, is_alone, 0, rtp.origin}) &&
           (!rtcp || add_port(*rtcp, {leg, true, is_alone, 0, rtp.origin}));
  }

  /// Receivers with known addresses may share a port. False after a problem.
  bool add_port(const SocketAddress& address, const Use& use) {
    if (const auto shared = shared_.find(address); shared != shared_.end() && use.is_alone) {
      problems_.error(use.origin,
                      named(address.to_string(), use) + " is the shared port of listen.media " +
                          line_of(shared->second) +
                          ", where packets are known by a receiver's address alone",
                      "use a port that nothing else uses");
      return false;
    }
    const auto [known, is_new] = ports_.try_emplace(address, use);
    if (is_new && !shared_.contains(address)) count_port(use.origin);
    const Use& other = known->second;
    const bool same_leg = use.leg == other.leg;
    const bool can_share =
        same_leg ? use.is_rtcp == other.is_rtcp : !use.is_alone && !other.is_alone;
    if (is_new || can_share) return true;
    const std::string taken = named(address.to_string(), use) + " is already used in line " +
                              std::to_string(other.origin.line);
    if (same_leg) {
      problems_.error(use.origin, taken + (other.is_rtcp ? ", which receives RTCP there" : ""),
                      "leave two ports to each medium, or add rtcp_mux: true");
    } else {
      problems_.error(use.origin,
                      taken + " by another leg; what arrives there could not be told apart",
                      "use a port that nothing else uses");
    }
    return false;
  }

  /// The first port too many is reported, and no other.
  void count_port(const Origin& origin) {
    if (++port_count_ != kMostLocalPorts + 1) return;
    problems_.error(origin,
                    "is one local port more than the " + std::to_string(kMostLocalPorts) +
                        " that one runneld can have",
                    "let receivers share the ports of listen.media, add rtcp_mux: true, or run "
                    "another runneld");
  }

  void add_paths(const ReceiverMedium& medium, LegId leg) {
    const Listen* own = medium.listen ? &*medium.listen : shared_port(config_, *medium.send);
    if (own == nullptr) return;
    const std::string local = own->address.to_string();
    if (!medium.send) {
      add_path({local, "whoever sends first to " + local},
               {leg, false, true, medium.payload_type, own->origin});
      return;
    }
    const bool good = add_path({local, medium.send->to_string()},
                               {leg, false, false, medium.payload_type, medium.send->origin});
    if (!good || medium.rtcp_mux) return;
    const auto rtcp = medium.rtcp_destination();
    const SocketAddress rtcp_local = medium.rtcp_listen().value_or(own->address);
    add_path({rtcp_local.to_string(), rtcp->to_string()}, {leg, true, false, 0, rtcp->origin});
  }

  /// False after a problem.
  bool add_path(const Path& path, const Use& use) {
    const auto [known, is_new] = paths_.try_emplace(path, use);
    if (is_new) return true;
    const Use& other = known->second;
    const std::string taken = named(path.second, use) + " is already the destination in line " +
                              std::to_string(other.origin.line);
    if (use.leg != other.leg) {
      problems_.error(use.origin,
                      taken + ", from the same local port " + path.first +
                          "; the receiver's reports could not be told apart",
                      "send to another port, or give one of the two its own 'listen'");
    } else if (use.is_rtcp != other.is_rtcp) {
      problems_.error(use.origin, taken + (other.is_rtcp ? ", of RTCP" : ""),
                      "leave two ports to each medium, or add rtcp_mux: true");
    } else if (!use.is_rtcp && use.payload_type == other.payload_type) {
      problems_.error(use.origin,
                      taken + " with the same payload type " + std::to_string(use.payload_type),
                      "give each medium its own port or its own payload type");
    } else {
      return true;
    }
    return false;
  }

  /// The source would receive what it has sent, for ever.
  void check_loop(const SourceLeg& source, const ReceiverLeg& receiver) {
    for (const ReceiverMedium& medium : receiver.media) {
      const auto destination = medium.send ? medium.send->literal() : std::nullopt;
      if (!destination) continue;
      for (const SourceMedium& from : source.media) {
        const SocketAddress& listen = from.listen.address;
        const bool everywhere = listen.ip.is_unspecified() && destination->ip.is_loopback() &&
                                listen.ip.is_v4() == destination->ip.is_v4();
        if (destination->port != listen.port || !(destination->ip == listen.ip || everywhere)) {
          continue;
        }
        problems_.error(medium.send->origin,
                        destination->to_string() + " is where this relay itself receives (line " +
                            std::to_string(from.listen.origin.line) +
                            "): media would go in circles",
                        "write the receiver's address");
      }
    }
  }

  /// 0.0.0.0:5004 and 127.0.0.1:5004 cannot both be bound.
  void check_wildcards() {
    std::map<SocketAddress, Use> bound = ports_;
    for (const auto& [address, origin] : shared_)
      bound.try_emplace(address, Use{{}, false, false, 0, origin});
    const Origin* reported = nullptr;
    for (const auto& [address, use] : bound) {
      if (address.ip.is_unspecified()) continue;
      const IpAddress every = address.ip.is_v4() ? IpAddress() : IpAddress::v6({});
      const auto wildcard = bound.find({every, address.port});
      if (wildcard == bound.end()) continue;
      const bool again = reported != nullptr && reported->key == use.origin.key;
      reported = &use.origin;
      if (again) continue;  // the RTCP port behind the one that has just been reported
      problems_.error(use.origin,
                      named(address.to_string(), use) + " is part of " +
                          wildcard->first.to_string() + ", which is listened on " +
                          line_of(wildcard->second.origin),
                      "use another port, or name one address in both places");
    }
  }

  const Config& config_;
  ProblemList& problems_;
  std::map<SocketAddress, Origin> shared_;
  std::map<SocketAddress, Use> ports_;
  std::size_t port_count_ = 0;  // of both maps together
  std::map<PayloadTypeKey, int> payload_types_;
  std::map<Path, Use> paths_;
};

void check_signalling(const Config& config, ProblemList& problems) {
  std::map<SocketAddress, int> known;
  for (const Listen& listen : config.signalling) {
    if (known.try_emplace(listen.address, listen.origin.line).second) continue;
    problems.error(listen.origin, listen.address.to_string() + " is listed twice",
                   "remove one of the two");
  }
}

}  // namespace

void check_ports(const Config& config, ProblemList& problems) {
  check_signalling(config, problems);
  PortCheck(config, problems).run();
}

}  // namespace runnel::config
