// Which addresses peers are told to reach us at, which not, and why.
#pragma once

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
  std::string address;  // literal, or a name that is looked up when it is needed
  std::string why;      // "eth0", "as configured", "eth0: link-local"
};

/// The choice that `announce` of the configuration makes. Each address appears once.
struct Announcement {
  std::vector<AnnouncedAddress> announced;
  std::vector<AnnouncedAddress> left_out;

  /// "192.0.2.7 (eth0), relay.example (as configured); not 172.17.0.1 (docker0: container bridge)"
  [[nodiscard]] std::string to_string() const;
};

/// `entries` are literal addresses, names, or "auto" for the addresses of `interfaces` that other
/// machines can be expected to reach.
[[nodiscard]] Announcement choose_announcement(const std::vector<std::string>& entries,
                                               const std::vector<InterfaceAddress>& interfaces);

/// The interfaces that are up at this moment.
[[nodiscard]] std::vector<InterfaceAddress> interface_addresses();

}  // namespace runnel::daemon
