// Events that wait to be read, with a bound; the end of a peer is never lost.
#pragma once

#include <cstddef>
#include <vector>

#include "core/transport/event.h"

namespace runnel::transport {

/// Beyond `capacity` only ends are taken: a peer ends once, and what is told of it is forgotten
/// with it, so that they are never more than `peers`. Never allocates after construction.
class EventQueue {
 public:
  EventQueue(std::size_t capacity, std::size_t peers) : capacity_(capacity) {
    events_.reserve(capacity + peers);
  }

  [[nodiscard]] bool push(const Event& event) noexcept {
    if (events_.size() >= capacity_ && !std::holds_alternative<PeerEnded>(event)) return false;
    events_.push_back(event);
    return true;
  }
  /// The peer is gone.
  void forget(PeerId peer) noexcept {
    std::erase_if(events_, [peer](const Event& event) {
      return std::visit([](const auto& what) { return what.peer; }, event) == peer;
    });
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

}  // namespace runnel::transport
