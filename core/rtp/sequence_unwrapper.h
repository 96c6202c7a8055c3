// Turns 16-bit sequence numbers into a line that does not wrap.
#pragma once

#include <cstdint>
#include <optional>

namespace runnel::rtp {

/// Follows a sequence through its wraps: each number is placed at the position nearest to the
/// highest so far. The first number is its own position, so positions are never negative unless the
/// very first packets arrive reordered around a wrap; to keep those apart the line starts at 65536
/// + first.
class SequenceUnwrapper {
 public:
  /// The position of `sequence_number`, without remembering it.
  [[nodiscard]] std::uint64_t peek(std::uint16_t sequence_number) const noexcept;
  /// The same, and moves the highest position forward when it is newer.
  std::uint64_t unwrap(std::uint16_t sequence_number) noexcept;
  [[nodiscard]] std::optional<std::uint64_t> highest() const noexcept { return highest_; }
  void reset() noexcept { highest_.reset(); }

 private:
  std::optional<std::uint64_t> highest_;
};

}  // namespace runnel::rtp
