// The last packets to those who have been removed: they wait for the outbox when their receiver or
// source is no longer there.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/address.h"
#include "core/relay/datagram_owner.h"
#include "core/relay/outbox.h"
#include "core/srtp/srtp_sender.h"

namespace runnel::relay {

/// To whom a farewell goes.
struct FarewellAddress {
  DatagramOwner owner;
  PortIndex port{};
  SocketAddress destination;
  std::optional<ChannelId> channel = std::nullopt;  // instead of port and destination
  std::uint8_t medium = 0;
};

/// Sealed RTCP, first in, first out. Keeps no memory while empty.
class Farewells {
 public:
  /// `buffer` begins with a clear compound of `size` bytes, and has room for it to be sealed.
  /// nullptr: stays clear. Nothing is kept of what cannot be sealed.
  void add(const FarewellAddress& to, srtp::Sender* sender, ByteSpan buffer, std::size_t size);
  [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
  /// Goes on where the last call stopped, until the outbox is full or all are in it.
  void deliver(Outbox& outbox) noexcept;

 private:
  struct Entry {
    FarewellAddress to;
    std::size_t end = 0;  // in `bytes_`; begins where the one before ends
  };

  std::vector<Entry> entries_;
  std::vector<std::uint8_t> bytes_;
  std::size_t next_ = 0;        // in `entries_`
  std::size_t next_begin_ = 0;  // in `bytes_`
};

}  // namespace runnel::relay
