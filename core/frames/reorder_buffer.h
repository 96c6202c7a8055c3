// Puts RTP packets back into the order of their sequence numbers, within a window.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/time.h"
#include "core/rtp/rtp_packet.h"
#include "core/rtp/sequence_unwrapper.h"

namespace runnel::frames {

/// What is kept of a packet.
struct HeldPacket {
  bool marker = false;
  RtpTime timestamp;
  ByteView payload;  // valid until the packet is popped
};

/// Holds copies of packets until all before them have come or are given up. After each put() the
/// owner takes what front() offers until it offers nothing; a packet that is not taken in time
/// makes room for newer ones. Buffers are kept and used again.
class ReorderBuffer {
 public:
  /// `window`: how far behind a missing packet others are held, at least 1. `max_wait`: ticks of
  /// media time between the oldest and the newest packet held behind it.
  ReorderBuffer(std::size_t window, std::uint32_t max_wait);

  /// False for a packet that comes too late or twice.
  [[nodiscard]] bool put(const rtp::RtpPacketView& packet);
  /// The next packet in order. nullopt when it has not come; whatever waits behind it goes on
  /// waiting, see give_up().
  [[nodiscard]] std::optional<HeldPacket> front() const noexcept;
  /// Takes front() away; it must be there.
  void pop() noexcept;

  /// Whether the window says that what is missing in front will not come.
  [[nodiscard]] bool overdue() const noexcept;
  /// Passes over what is missing in front of the oldest packet held, if there is one, and answers
  /// how many numbers that were.
  std::uint64_t give_up() noexcept;

  [[nodiscard]] std::size_t size() const noexcept { return held_ + (beyond_ ? 1 : 0); }
  void clear() noexcept;

 private:
  static constexpr std::uint32_t kEmpty = 0xffffffff;

  struct Slot {
    std::uint32_t buffer = kEmpty;
    bool marker = false;
    RtpTime timestamp;
  };

  [[nodiscard]] Slot& slot(std::uint64_t position) noexcept {
    return slots_[position % slots_.size()];
  }
  [[nodiscard]] const Slot& slot(std::uint64_t position) const noexcept {
    return slots_[position % slots_.size()];
  }
  [[nodiscard]] Slot hold(const rtp::RtpPacketView& packet);
  void release(Slot& slot) noexcept;
  [[nodiscard]] std::uint64_t oldest() const noexcept;

  std::size_t window_;
  std::uint32_t max_wait_;
  rtp::SequenceUnwrapper line_;
  std::uint64_t next_ = 0;    // position of the front
  std::uint64_t newest_ = 0;  // highest position held
  std::size_t held_ = 0;
  std::size_t late_in_a_row_ = 0;
  std::vector<Slot> slots_;     // by position, twice the window
  std::optional<Slot> beyond_;  // the first packet of a new line, held until the old one is taken
  std::uint16_t beyond_sequence_number_ = 0;
  std::vector<std::vector<std::uint8_t>> buffers_;
  std::vector<std::uint32_t> free_buffers_;
};

}  // namespace runnel::frames
