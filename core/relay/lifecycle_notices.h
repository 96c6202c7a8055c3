// How often a source's comings and goings are worth a line in the log.
#pragma once

#include <algorithm>

#include "core/base/time.h"

namespace runnel::relay {

/// A source that restarts all the time, or somebody who forges one that is not encrypted, must not
/// be able to write a log. So: `kAtOnce` in a row, and after that one in each `kInterval`.
class LifecycleNotices {
 public:
  static constexpr int kAtOnce = 4;
  static constexpr Duration kInterval = std::chrono::seconds(1);

  /// Whether to say what has happened at `now`.
  [[nodiscard]] bool may_say(Timestamp now) noexcept {
    if (settled_ > now + (kAtOnce - 1) * kInterval) return false;
    settled_ = std::max(settled_, now) + kInterval;
    return true;
  }

 private:
  Timestamp settled_{};  // when an interval has passed for each of those said
};

}  // namespace runnel::relay
