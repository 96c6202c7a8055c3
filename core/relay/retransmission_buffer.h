// The newest packets of one encoding, from which receivers' NACKs are answered.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/bytes.h"
#include "core/relay/source_line.h"
#include "core/rtp/extension_rewriter.h"

namespace runnel::relay {

struct StoredPacket {
  /// The clear source packet, header and padding included; valid until the next `store`.
  ByteView bytes = {};
  std::uint16_t header_size = 0;
  std::uint16_t payload_size = 0;  // without padding
  LinePlace place = {};
  rtp::ParsedExtensions extensions = {};
};

/// A ring by line position. Memory is taken once, with the first packet: capacity times
/// kMaxPacketSize.
class RetransmissionBuffer {
 public:
  static constexpr std::size_t kMaxPacketSize = 1500;
  static constexpr std::size_t kDefaultCapacity = 512;
  static constexpr std::size_t kMaxCapacity = 16384;

  /// `capacity` in packets: a power of two up to kMaxCapacity, or 0 to keep nothing.
  explicit RetransmissionBuffer(std::size_t capacity = kDefaultCapacity) noexcept;

  /// Copies the packet. One that is empty or longer than kMaxPacketSize is not kept, nor one whose
  /// place in the ring a higher position has. A position that is stored again is overwritten.
  void store(const StoredPacket& packet);
  /// nullopt when it was never stored, or is no longer.
  [[nodiscard]] std::optional<StoredPacket> find(std::uint64_t position) const noexcept;
  /// Gives the memory back.
  void clear() noexcept;

  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] std::size_t memory() const noexcept;

 private:
  struct Slot {
    std::uint64_t position = 0;
    RtpTime timestamp;
    std::uint16_t size = 0;  // 0: empty
    std::uint16_t header_size = 0;
    std::uint16_t payload_size = 0;
    rtp::ParsedExtensions extensions;
  };

  [[nodiscard]] std::size_t index_of(std::uint64_t position) const noexcept {
    return static_cast<std::size_t>(position & (capacity_ - 1));
  }

  std::size_t capacity_;
  std::vector<Slot> slots_;
  std::vector<std::uint8_t> bytes_;
};

}  // namespace runnel::relay
