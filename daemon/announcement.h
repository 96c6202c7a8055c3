// Which addresses peers are told to reach us at, which not, and why.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/address.h"

namespace runnel::daemon {

/// One address of one network interface.
struct InterfaceAddress {
  std::string interface;  // "eth0"
  IpAddress address;
};

struct AnnouncedAddress {
  IpAddress address;
  std::string why;  // "eth0", "as configured", "relay.runnel.test"
};
struct LeftOut {
  std::string address;  // or a name
  std::string why;      // "eth0: link-local"
};

/// What the choice depends on besides the configuration.
struct Surroundings {
  /// The interfaces that are up.
  std::vector<InterfaceAddress> interfaces;
  /// Local addresses of the ports for media; unspecified ones stand for all of their family.
  std::vector<IpAddress> bound;
  /// Addresses of the names that have been looked up.
  std::map<std::string, std::vector<IpAddress>> names;
};

/// The choice that `announce` of the configuration makes. Each address appears once.
struct Announcement {
  /// Each of them is a candidate of every connection, so that they are few.
  static constexpr std::size_t kMost = 16;

  std::vector<AnnouncedAddress> announced;  // at most kMost
  std::vector<LeftOut> left_out;

  [[nodiscard]] std::vector<IpAddress> addresses() const;
  /// "192.0.2.7 (eth0), 203.0.113.5 (as configured); not 172.17.0.1 (docker0: container bridge)"
  [[nodiscard]] std::string to_string() const;
};

/// `entries` are literal addresses, names, or "auto" for the addresses of interfaces that other
/// machines can be expected to reach and that are listened on; where "auto" would find nothing,
/// loopback serves clients on this machine.
[[nodiscard]] Announcement choose_announcement(const std::vector<std::string>& entries,
                                               const Surroundings& surroundings);

/// The interfaces that are up at this moment.
[[nodiscard]] std::vector<InterfaceAddress> interface_addresses();

}  // namespace runnel::daemon
