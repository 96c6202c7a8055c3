// Datagrams that wait to be sent.
#pragma once

#include <cstddef>
#include <optional>

#include "core/transport/datagram_store.h"
#include "core/transport/transports.h"

namespace runnel::transport {

/// Allocates when it is made, and never again. What finds no room is lost, as on the network: STUN
/// and DTLS repeat themselves.
class OutgoingQueue {
 public:
  explicit OutgoingQueue(std::size_t capacity) : store_(capacity + 1) {}  // one is with the caller

  void push(const Path& path, ByteView bytes) noexcept {
    if (is_full() || !store_.append(waiting_, path, bytes)) ++lost_;
  }
  /// The oldest. Valid until the next call, whichever.
  [[nodiscard]] std::optional<OutgoingDatagram> next() noexcept {
    store_.clear(taken_);
    if (waiting_.empty()) return std::nullopt;
    const OutgoingDatagram datagram{.path = store_.front_path(waiting_),
                                    .bytes = store_.front_bytes(waiting_)};
    store_.move_front(waiting_, taken_);
    return datagram;
  }
  [[nodiscard]] bool is_full() const noexcept { return waiting_.size() + 1 == store_.capacity(); }
  [[nodiscard]] std::uint64_t lost() const noexcept { return lost_; }

 private:
  DatagramStore store_;
  DatagramList waiting_;
  DatagramList taken_;  // the one that `next` has answered
  std::uint64_t lost_ = 0;
};

}  // namespace runnel::transport
