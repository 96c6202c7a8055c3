// Packets out of binary messages, kept until the engine takes them together.
#pragma once

#include <span>
#include <vector>

#include "core/base/packet_slab.h"
#include "core/relay/engine.h"

namespace runnel::session {

/// A fixed number of packet slots. Never allocates after construction.
class MediaIntake {
 public:
  static constexpr std::size_t kSlots = 64;

  MediaIntake() : slab_(kSlots) { messages_.reserve(kSlots); }

  [[nodiscard]] std::size_t room() const noexcept { return kSlots - messages_.size(); }
  /// To be filled and then pushed; there must be room.
  [[nodiscard]] ByteSpan next_slot() noexcept { return slab_.slot(messages_.size()); }
  void push(relay::ChannelId channel, std::size_t relay, std::size_t medium,
            std::size_t size) noexcept {
    messages_.push_back(
        {.channel = channel, .relay = relay, .medium = medium, .bytes = next_slot().first(size)});
  }
  [[nodiscard]] std::span<const relay::IncomingMessage> messages() const noexcept {
    return messages_;
  }
  void clear() noexcept { messages_.clear(); }

 private:
  PacketSlab slab_;
  std::vector<relay::IncomingMessage> messages_;
};

}  // namespace runnel::session
