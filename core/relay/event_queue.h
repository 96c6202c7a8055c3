// Events that wait to be read, with a bound.
#pragma once

#include <cstddef>
#include <vector>

#include "core/relay/event.h"

namespace runnel::relay {

/// Never allocates after construction; what does not fit is refused.
class EventQueue {
 public:
  explicit EventQueue(std::size_t capacity) : capacity_(capacity) { events_.reserve(capacity); }

  [[nodiscard]] bool push(const Event& event) noexcept {
    if (events_.size() == capacity_) return false;
    events_.push_back(event);
    return true;
  }
  /// Appends everything to `out`, oldest first.
  void take(std::vector<Event>& out) {
    out.insert(out.end(), events_.begin(), events_.end());
    events_.clear();
  }

 private:
  std::size_t capacity_;
  std::vector<Event> events_;
};

}  // namespace runnel::relay
