// A buffer whose surroundings are watched, at a chosen offset from a cache line.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "core/base/bytes.h"

namespace runnel::test {

/// Reproducible noise.
inline std::vector<std::uint8_t> noise(std::size_t size, std::mt19937::result_type seed) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> bytes(size);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

/// Up to `capacity` bytes at `offset` (0..63) from a cache line, between two guards.
class GuardedBuffer {
 public:
  explicit GuardedBuffer(std::size_t capacity)
      : memory_(capacity + kLine + 2 * kGuard + kLine, kGuardByte) {}

  /// A fresh area of this size and offset; what it held before is forgotten.
  ByteSpan area(std::size_t size, std::size_t offset) {
    std::fill(memory_.begin(), memory_.end(), kGuardByte);
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.data()) + kGuard;
    begin_ = kGuard + (kLine - address % kLine) % kLine + offset;
    size_ = size;
    return ByteSpan(memory_).subspan(begin_, size_);
  }

  [[nodiscard]] bool guards_are_intact() const {
    const auto is_guard = [](std::uint8_t byte) { return byte == kGuardByte; };
    const auto begin = memory_.begin() + static_cast<std::ptrdiff_t>(begin_);
    return std::all_of(memory_.begin(), begin, is_guard) &&
           std::all_of(begin + static_cast<std::ptrdiff_t>(size_), memory_.end(), is_guard);
  }

 private:
  static constexpr std::size_t kLine = 64;
  static constexpr std::size_t kGuard = 64;
  static constexpr std::uint8_t kGuardByte = 0xa5;

  std::vector<std::uint8_t> memory_;
  std::size_t begin_ = 0;
  std::size_t size_ = 0;
};

}  // namespace runnel::test
