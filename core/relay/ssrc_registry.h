// Every SSRC that this engine sends, so that a random one never collides with another.
#pragma once

#include <cstdint>
#include <unordered_set>

#include "core/base/random.h"

namespace runnel::relay {

class SsrcRegistry {
 public:
  void reserve(std::size_t ssrcs) { drawn_.reserve(ssrcs); }
  /// Pinned by the configuration; several legs with different keys may pin the same.
  void add_pinned(std::uint32_t ssrc) { pinned_.insert(ssrc); }
  /// A random one that nobody uses (RFC 3550 §8.1).
  [[nodiscard]] std::uint32_t draw(RandomSource& random);
  /// Gives `old` back and draws another one. Does not allocate.
  [[nodiscard]] std::uint32_t redraw(std::uint32_t old, RandomSource& random) noexcept;
  /// Whether a packet with this SSRC is one of our own that somebody sends back to us (RFC 3550
  /// §8.2): where both directions share a key, it would be authentic. Pinned ones do not count,
  /// since a relay may be told to keep its source's SSRC.
  [[nodiscard]] bool is_our_own(std::uint32_t ssrc) const noexcept { return drawn_.contains(ssrc); }

 private:
  [[nodiscard]] std::uint32_t unused(RandomSource& random) const noexcept;

  std::unordered_set<std::uint32_t> drawn_;
  std::unordered_set<std::uint32_t> pinned_;
};

}  // namespace runnel::relay
