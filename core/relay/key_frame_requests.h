// Many receivers ask for a key frame; the source is asked once.
#pragma once

#include <optional>

#include "core/base/time.h"

namespace runnel::relay {

/// Merges requests: the first goes at once, all that come within `interval` after it become one
/// that goes when the interval has passed.
class KeyFrameRequests {
 public:
  explicit KeyFrameRequests(Duration interval) noexcept : interval_(interval) {}

  /// True when the source is to be asked now; otherwise the request waits for `deadline()`.
  [[nodiscard]] bool request(Timestamp now) noexcept {
    if (last_ && now - *last_ < interval_) {
      waiting_ = true;
      return false;
    }
    last_ = now;
    waiting_ = false;
    return true;
  }
  /// When a merged request is due; nullopt when none waits.
  [[nodiscard]] std::optional<Timestamp> deadline() const noexcept {
    if (!waiting_) return std::nullopt;
    return *last_ + interval_;
  }
  /// True, once, when a merged request is due.
  [[nodiscard]] bool take_due(Timestamp now) noexcept {
    return waiting_ && now - *last_ >= interval_ && request(now);
  }
  /// The source is gone, or another one has begun with a key frame of its own.
  void forget() noexcept { waiting_ = false; }

 private:
  Duration interval_;
  std::optional<Timestamp> last_;
  bool waiting_ = false;
};

}  // namespace runnel::relay
