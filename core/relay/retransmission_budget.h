// How much one receiver may have sent again, so that a flood of NACKs brings no flood of packets.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/time.h"

namespace runnel::relay {

/// Bytes for retransmissions are earned by bytes of media sent: in the long run at most half as
/// much is sent again as was sent. The same packet is sent again at most once in a while.
class RetransmissionBudget {
 public:
  static constexpr std::size_t kInitialBytes = 32 * 1024;
  /// What a receiver can have saved up: a large key frame.
  static constexpr std::size_t kMaxBytes = 256 * 1024;
  /// One byte earned for this many sent.
  static constexpr std::size_t kSentPerEarned = 2;
  static constexpr Duration kMinInterval = std::chrono::milliseconds(20);
  static constexpr Duration kMaxInterval = std::chrono::milliseconds(200);

  /// Media has been sent for the first time.
  void sent(std::size_t bytes) noexcept {
    halves_ = std::min(halves_ + bytes, kMaxBytes * kSentPerEarned);
  }

  /// Whether a packet may be sent again now, which is then taken from the budget.
  /// `sequence_number` as the receiver names it; `bytes` of the packet; `round_trip` as far as it
  /// is known: a packet is not repeated within half of it, nor within kMinInterval.
  [[nodiscard]] bool spend(std::uint16_t sequence_number, std::size_t bytes, Timestamp now,
                           Duration round_trip = {}) noexcept {
    Repeated& last = repeated_[sequence_number % repeated_.size()];
    const Duration interval = std::clamp(round_trip / 2, kMinInterval, kMaxInterval);
    if (last.known && last.sequence_number == sequence_number && now - last.when < interval) {
      return false;
    }
    const std::size_t price = bytes * kSentPerEarned;
    if (price > halves_) return false;
    halves_ -= price;
    last = {now, sequence_number, true};
    return true;
  }

  [[nodiscard]] std::size_t available() const noexcept { return halves_ / kSentPerEarned; }

 private:
  struct Repeated {
    Timestamp when{};
    std::uint16_t sequence_number = 0;
    bool known = false;
  };

  std::size_t halves_ = kInitialBytes * kSentPerEarned;  // in units of 1/kSentPerEarned byte
  std::array<Repeated, 128> repeated_{};                 // the last of those that share a slot
};

}  // namespace runnel::relay
