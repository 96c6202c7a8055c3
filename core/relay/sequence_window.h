// Which of the newest positions of a line have been taken.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>

namespace runnel::relay {

/// A ring of bits over the last `kSize` positions of a line that does not wrap.
class SequenceWindow {
 public:
  static constexpr std::uint64_t kSize = 1024;

  /// Forgets everything; `position` becomes the highest, and is taken.
  void restart(std::uint64_t position) noexcept {
    taken_.reset();
    highest_ = position;
    taken_.set(slot(position));
  }
  [[nodiscard]] std::uint64_t highest() const noexcept { return highest_; }
  [[nodiscard]] bool is_behind(std::uint64_t position) const noexcept {
    return position + kSize <= highest_;
  }
  /// `position` must not be behind.
  [[nodiscard]] bool is_taken(std::uint64_t position) const noexcept {
    return position <= highest_ && taken_.test(slot(position));
  }
  /// `position` must not be behind.
  void take(std::uint64_t position) noexcept {
    if (position > highest_) advance(position);
    taken_.set(slot(position));
  }

 private:
  [[nodiscard]] static std::size_t slot(std::uint64_t position) noexcept {
    return static_cast<std::size_t>(position % kSize);
  }
  void advance(std::uint64_t position) noexcept {
    if (position - highest_ >= kSize) {
      taken_.reset();
    } else {
      for (std::uint64_t p = highest_ + 1; p < position; ++p) taken_.reset(slot(p));
    }
    highest_ = position;
  }

  std::bitset<kSize> taken_;
  std::uint64_t highest_ = 0;
};

}  // namespace runnel::relay
