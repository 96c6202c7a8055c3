// When a failed authentication is worth a line in the log.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>

#include "core/base/address.h"
#include "core/base/time.h"

namespace runnel::relay {

/// A wrong key must be visible at once, and forgers must not be able to write a log. So: each
/// address once until a packet of it is good again, as far as the last `kAddresses` of them are
/// remembered, and never two within `kInterval`.
class FailureNotices {
 public:
  static constexpr std::size_t kAddresses = 4;
  static constexpr Duration kInterval = std::chrono::seconds(10);

  /// Whether to say that a packet from `source` failed.
  [[nodiscard]] bool failed(Timestamp now, const SocketAddress& source) noexcept {
    if (last_ && now - *last_ < kInterval) return false;
    if (std::ranges::find(said_, std::optional(source)) != said_.end()) return false;
    said_[next_] = source;
    next_ = (next_ + 1) % kAddresses;
    any_ = true;
    last_ = now;
    return true;
  }
  void succeeded(const SocketAddress& source) noexcept {
    if (!any_) return;
    std::ranges::replace(said_, std::optional(source), std::optional<SocketAddress>());
    any_ = std::ranges::any_of(said_, [](const auto& address) { return address.has_value(); });
  }

 private:
  std::array<std::optional<SocketAddress>, kAddresses> said_{};
  std::size_t next_ = 0;
  bool any_ = false;  // `said_` holds an address
  std::optional<Timestamp> last_;
};

}  // namespace runnel::relay
