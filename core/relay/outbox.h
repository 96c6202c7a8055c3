// What the engine wants sent: sealed packets in memory that the daemon lends.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/base/address.h"
#include "core/base/bytes.h"
#include "core/base/packet_slab.h"
#include "core/relay/relay_description.h"

namespace runnel::relay {

/// One datagram to send. `bytes` lies in the outbox and lives until the next `clear()`.
struct OutgoingDatagram {
  PortIndex port{};
  SocketAddress destination;
  ByteView bytes;
  /// Opaque to the daemon: goes back to the engine when sending fails, so that the right receiver's
  /// counters say so.
  std::uint32_t owner = 0;
};

/// One clear RTP packet or RTCP compound for a leg by message: of receiver legs what they get, of
/// source legs the RTCP to them. `bytes` and `owner` as above.
struct OutgoingMessage {
  ChannelId channel{};
  std::uint8_t medium = 0;  // of the leg, as described
  bool is_rtcp = false;
  ByteView bytes;
  std::uint32_t owner = 0;
};

/// A fixed number of packet slots and the lists of what is in them. Datagrams to one destination
/// stand together, in order, so that runs of equal size can leave as one UDP_SEGMENT message; so do
/// the messages of one medium to one channel. Never allocates after construction.
class Outbox {
 public:
  /// 128 slots are 264 KiB, which fits into a second-level cache beside everything else.
  static constexpr std::size_t kDefaultSlots = 128;

  explicit Outbox(std::size_t slots = kDefaultSlots);

  [[nodiscard]] std::size_t capacity() const noexcept { return slab_.slot_count(); }
  [[nodiscard]] std::span<const OutgoingDatagram> datagrams() const noexcept { return datagrams_; }
  [[nodiscard]] std::span<const OutgoingMessage> messages() const noexcept { return messages_; }
  [[nodiscard]] bool empty() const noexcept { return used() == 0; }
  void clear() noexcept {
    datagrams_.clear();
    messages_.clear();
  }

  // For the engine: a slot is taken by `next_slot`, filled, and made part of a list by `push`.
  [[nodiscard]] std::size_t room() const noexcept { return capacity() - used(); }
  [[nodiscard]] bool full() const noexcept { return room() == 0; }
  [[nodiscard]] ByteSpan next_slot() noexcept { return slab_.slot(used()); }
  void push(OutgoingDatagram datagram) noexcept { datagrams_.push_back(datagram); }
  void push(OutgoingMessage message) noexcept { messages_.push_back(message); }
  /// A datagram, to set its size after sealing.
  [[nodiscard]] OutgoingDatagram& operator[](std::size_t index) noexcept {
    return datagrams_[index];
  }
  /// Takes datagrams without bytes out of the list: those that could not be sealed. Nothing may be
  /// pushed between this and the next `clear()`, since slots and list no longer run in step.
  void remove_empty() noexcept;

 private:
  [[nodiscard]] std::size_t used() const noexcept { return datagrams_.size() + messages_.size(); }

  PacketSlab slab_;
  std::vector<OutgoingDatagram> datagrams_;
  std::vector<OutgoingMessage> messages_;
};

}  // namespace runnel::relay
