// Which packet indices have been seen lately (RFC 3711 §3.3.2).
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <vector>

#include "core/srtp/error.h"

namespace runnel::srtp {

/// The `size` indices up to the highest accepted one, a bit for each, in a ring. Looking and
/// accepting are apart because the tag has to be checked in between.
class ReplayWindow {
 public:
  /// `size` is a multiple of 64 and not 0. Allocates here and nowhere else.
  explicit ReplayWindow(std::size_t size);

  /// Whether anything has been accepted yet.
  [[nodiscard]] bool empty() const noexcept { return empty_; }
  /// The highest accepted index. Not to be asked while empty.
  [[nodiscard]] std::uint64_t highest() const noexcept { return highest_; }

  /// Whether a packet with this index could still be accepted: else `replayed` or `too_old`.
  [[nodiscard]] std::expected<void, Error> check(std::uint64_t index) const noexcept;
  /// Marks an index that has passed `check`.
  void accept(std::uint64_t index) noexcept;
  /// Forgets everything.
  void clear() noexcept;

 private:
  [[nodiscard]] bool is_marked(std::uint64_t index) const noexcept;
  void mark(std::uint64_t index) noexcept;
  void unmark_after_highest_up_to(std::uint64_t index) noexcept;

  std::uint64_t size_;
  std::uint64_t highest_ = 0;
  bool empty_ = true;
  std::vector<std::uint64_t> words_;  // a power of two of them, so that a mask finds the place
};

}  // namespace runnel::srtp
