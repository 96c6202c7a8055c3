// Turns 16-bit sequence numbers into a line that does not wrap.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/serial_number.h"

namespace runnel::rtp {

/// Follows a sequence through its wraps: each number is placed at the position nearest to the
/// highest so far; half the circle away counts as behind. The line starts at 65536 + the first
/// number, so that packets before the first, reordered around a wrap, have positions too.
class SequenceUnwrapper {
 public:
  /// The position of `sequence_number`, without remembering it.
  [[nodiscard]] std::uint64_t peek(std::uint16_t sequence_number) const noexcept {
    if (!highest_) return std::uint64_t{0x10000} + sequence_number;
    const auto newest = static_cast<std::uint16_t>(*highest_);
    const std::int64_t distance = serial_distance(newest, sequence_number);
    return *highest_ + static_cast<std::uint64_t>(distance);
  }
  /// The same, and moves the highest position forward when it is newer.
  std::uint64_t unwrap(std::uint16_t sequence_number) noexcept {
    const std::uint64_t position = peek(sequence_number);
    if (!highest_ || position > *highest_) highest_ = position;
    return position;
  }
  [[nodiscard]] std::optional<std::uint64_t> highest() const noexcept { return highest_; }
  void reset() noexcept { highest_.reset(); }

 private:
  std::optional<std::uint64_t> highest_;
};

}  // namespace runnel::rtp
