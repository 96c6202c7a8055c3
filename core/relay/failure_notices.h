// When a failed authentication is worth a line in the log.
#pragma once

#include <array>
#include <cstddef>
#include <optional>

#include "core/base/address.h"
#include "core/base/time.h"

namespace runnel::relay {

/// A wrong key must be visible at once, and forgers must not be able to write a log. So: each
/// address once until a packet is good again, at most `kAddresses` of them, and never two within
/// `kInterval`.
class FailureNotices {
 public:
  static constexpr std::size_t kAddresses = 4;
  static constexpr Duration kInterval = std::chrono::seconds(10);

  /// Whether to say that a packet from `source` failed.
  [[nodiscard]] bool failed(Timestamp now, const SocketAddress& source) noexcept {
    if (count_ == kAddresses) return false;
    if (last_ && now - *last_ < kInterval) return false;
    for (std::size_t i = 0; i < count_; ++i) {
      if (said_[i] == source) return false;
    }
    said_[count_++] = source;
    last_ = now;
    return true;
  }
  void succeeded() noexcept { count_ = 0; }

 private:
  std::array<SocketAddress, kAddresses> said_{};
  std::size_t count_ = 0;
  std::optional<Timestamp> last_;
};

}  // namespace runnel::relay
