// SRTP that has come before its keys, until they are there.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "core/transport/datagram_store.h"
#include "core/transport/transports.h"

namespace runnel::transport {

/// Allocates when it is made, and never again.
class EarlyMedia {
 public:
  /// At most `capacity` packets of all peers, and `of_one` of one.
  EarlyMedia(std::size_t capacity, std::size_t of_one);

  /// `list` holds what one peer has sent. False: there is no room.
  [[nodiscard]] bool hold(DatagramList& list, const Path& path, ByteView datagram) noexcept;
  /// The keys are there.
  void release(DatagramList& list) noexcept { store_.move_all(list, released_); }
  /// The peer is gone, or will never have keys.
  void discard(DatagramList& list) noexcept { store_.clear(list); }
  /// What has been released since the last call. Valid until the call after the next one.
  [[nodiscard]] std::span<const EarlyDatagram> take() noexcept;

  /// Of all peers, with what has been taken lately.
  [[nodiscard]] std::size_t size() const noexcept { return store_.size(); }

 private:
  struct Taken {
    DatagramList list;
    std::vector<EarlyDatagram> views;
  };

  std::size_t of_one_;
  DatagramStore store_;
  DatagramList released_;
  std::array<Taken, 2> taken_;
  std::size_t turn_ = 0;  // which of them is to be used next
};

}  // namespace runnel::transport
