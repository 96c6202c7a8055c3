// Finds the addresses of receivers that are configured by name, and follows them when they move.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/relay/relay_description.h"
#include "daemon/event_loop.h"
#include "daemon/log.h"
#include "daemon/name_lookup.h"
#include "daemon/relay_setup.h"

namespace runnel::daemon {

/// Looks each name up at start and again from time to time. While a name cannot be resolved, or its
/// address belongs to another receiver, its receivers keep the address they have, or wait for their
/// first.
class Resolver {
 public:
  /// Gives a receiver its address; false when that belongs to another receiver, which may change:
  /// the same is asked again with each answer to any name.
  using Apply = std::function<bool(const relay::ReceiverMediumId& receiver,
                                   const SocketAddress& rtp, const SocketAddress& rtcp)>;

  /// `loop` and `log` must outlive the resolver.
  Resolver(EventLoop& loop, std::vector<NamedDestination> destinations, Apply apply, Log& log,
           const LookupIntervals& intervals = {});
  Resolver(const Resolver&) = delete;
  Resolver& operator=(const Resolver&) = delete;

  void start();
  /// Whether a look-up is under way. It cannot be broken off: the loop's end waits for it.
  [[nodiscard]] bool is_busy() const noexcept;

 private:
  struct NameKey {
    std::string host;
    bool ipv4 = true;
    friend auto operator<=>(const NameKey&, const NameKey&) = default;
  };
  struct Name {
    std::unique_ptr<NameLookup> lookup;
    std::optional<IpAddress> address;
    bool failing = false;
  };
  struct Follower {
    NamedDestination destination;
    /// The address that it could not have; what has been logged.
    std::optional<SocketAddress> refused;

    [[nodiscard]] bool follows(const NameKey& key) const noexcept;
  };

  void on_answer(const NameKey& key, Name& name, const NameLookup::Answer& answer);
  /// Whether the name has moved.
  [[nodiscard]] bool take(const NameKey& key, Name& name, const std::vector<IpAddress>& addresses);
  void fail(const NameKey& key, Name& name, const std::string& why);
  void apply(Follower& follower);
  [[nodiscard]] std::optional<SocketAddress> address_of(const config::Endpoint& endpoint,
                                                        bool ipv4) const;

  EventLoop& loop_;
  std::vector<Follower> followers_;
  Apply apply_;
  Log& log_;
  LookupIntervals intervals_;
  std::map<NameKey, Name> names_;
};

}  // namespace runnel::daemon
