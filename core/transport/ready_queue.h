// Peers whose turn will come, each at most once.
#pragma once

#include <utility>

#include "core/transport/peer.h"

namespace runnel::transport {

/// First in, first out. The links live in the peers.
class ReadyQueue {
 public:
  [[nodiscard]] bool empty() const noexcept { return first_ == nullptr; }

  /// Nothing when it stands in the queue already.
  void push(Peer& peer) noexcept {
    if (peer.ready.waits) return;
    peer.ready = {.before = last_, .behind = nullptr, .waits = true};
    (last_ == nullptr ? first_ : last_->ready.behind) = &peer;
    last_ = &peer;
  }
  /// The queue must not be empty.
  [[nodiscard]] Peer& pop() noexcept {
    Peer& peer = *first_;
    remove(peer);
    return peer;
  }
  /// Nothing when it does not stand in the queue.
  void remove(Peer& peer) noexcept {
    if (!peer.ready.waits) return;
    const ReadyLinks links = std::exchange(peer.ready, {});
    (links.before == nullptr ? first_ : links.before->ready.behind) = links.behind;
    (links.behind == nullptr ? last_ : links.behind->ready.before) = links.before;
  }

 private:
  Peer* first_ = nullptr;
  Peer* last_ = nullptr;
};

}  // namespace runnel::transport
