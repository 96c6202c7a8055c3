// Every SSRC that this engine sends, so that a random one never collides with another.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "core/base/random.h"

namespace runnel::relay {

class SsrcRegistry {
 public:
  void reserve(std::size_t ssrcs) { used_.reserve(ssrcs); }
  /// Pinned by the configuration; several legs with different keys may pin the same.
  void add_pinned(std::uint32_t ssrc) { used_.insert(ssrc); }
  /// A random one that nobody uses (RFC 3550 §8.1).
  [[nodiscard]] std::uint32_t draw(RandomSource& random);
  /// Gives `old` back and draws another one. Does not allocate.
  [[nodiscard]] std::uint32_t redraw(std::uint32_t old, RandomSource& random) noexcept;

 private:
  [[nodiscard]] std::uint32_t unused(RandomSource& random) const noexcept;

  std::unordered_set<std::uint32_t> used_;
};

}  // namespace runnel::relay
