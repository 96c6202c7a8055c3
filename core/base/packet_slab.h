// The memory that packets live in: equal slots, one allocation, made at start.
#pragma once

#include <cstddef>
#include <memory>

#include "core/base/bytes.h"

namespace runnel {

/// The longest datagram that is taken from the wire. Anything longer is dropped as `oversized`.
inline constexpr std::size_t kMaxDatagramSize = 1984;
/// What a slot can hold: the longest datagram and room for an authentication tag, an SRTCP index
/// and an MKI.
inline constexpr std::size_t kPacketCapacity = 2048;
/// Distance between two slots. An odd multiple of 64, so that equal offsets of neighbouring slots
/// fall into different cache sets: multi-lane kernels read many slots at the same offset.
inline constexpr std::size_t kPacketStride = 2112;

/// A fixed number of packet slots. Slots are 64-byte aligned, and the bytes between capacity and
/// stride may be overwritten by wide stores of nobody's packet. The slab says nothing about which
/// slots are in use. Not thread-safe.
class PacketSlab {
 public:
  explicit PacketSlab(std::size_t slot_count);

  [[nodiscard]] std::size_t slot_count() const noexcept { return slot_count_; }
  /// `kPacketCapacity` bytes; valid as long as the slab.
  [[nodiscard]] ByteSpan slot(std::size_t index) noexcept {
    return {memory_.get() + index * kPacketStride, kPacketCapacity};
  }

 private:
  struct Release {
    void operator()(std::uint8_t* memory) const noexcept;
  };
  std::size_t slot_count_;
  std::unique_ptr<std::uint8_t[], Release> memory_;
};

}  // namespace runnel
