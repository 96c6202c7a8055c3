// Whose port a datagram came to.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "core/relay/relay_description.h"

namespace runnel::relay {

struct PortUse {
  static constexpr std::uint32_t kNobody = std::numeric_limits<std::uint32_t>::max();

  enum class Kind : std::uint8_t {
    unused,
    source,    // of the source leg of one relay
    receiver,  // of one receiver leg
    shared,    // legs of any relays, told apart by their path or SSRC
  };
  Kind kind = Kind::unused;
  /// source: index of the relay. receiver: of the receiver leg. shared: of the one leg that waits
  /// here for an address it knows nothing of yet, not even the SSRC, or kNobody.
  std::uint32_t owner = kNobody;
};

/// By PortIndex; a look-up is one array access.
class PortTable {
 public:
  [[nodiscard]] PortUse at(PortIndex port) const noexcept {
    const auto index = static_cast<std::size_t>(port);
    return index < uses_.size() ? uses_[index] : PortUse{};
  }
  void set(PortIndex port, PortUse use) {
    const auto index = static_cast<std::size_t>(port);
    if (index >= uses_.size()) uses_.resize(index + 1);
    uses_[index] = use;
  }

 private:
  std::vector<PortUse> uses_;
};

}  // namespace runnel::relay
