// The order in which an engine draws its SSRCs: like chance to others, and never the same one
// twice.
#pragma once

#include <array>
#include <cstdint>

#include "core/base/random.h"

namespace runnel::relay {

/// A permutation of all 2^32 numbers, drawn at random, and how far it has been read. What is drawn
/// is as unlikely to meet the SSRC of somebody else as a random one (RFC 3550 §8.1), but an SSRC
/// that is sent no more does not come back before 2^32 others: so nobody needs to remember which
/// ones a key has met, and none meets it twice (RFC 3711 §9.1). Not a secret.
class SsrcSequence {
 public:
  explicit SsrcSequence(RandomSource& random) noexcept : position_(random.u32()) {
    for (std::uint32_t& key : keys_) key = random.u32();
  }

  /// A Feistel network over two halves of 16 bits: each round can be undone, hence no two positions
  /// have the same number.
  [[nodiscard]] std::uint32_t next() noexcept {
    std::uint32_t number = position_++;
    for (const std::uint32_t key : keys_) {
      const std::uint32_t low = number & 0xffff;
      number = low << 16 | ((number >> 16) ^ scramble(low, key));
    }
    return number;
  }

 private:
  static constexpr std::size_t kRounds = 6;

  /// 16 bits, in no order that would be seen in what comes of them.
  static constexpr std::uint32_t scramble(std::uint32_t half, std::uint32_t key) noexcept {
    std::uint32_t mixed = (half ^ key) * 0x9e37'79b1U;
    mixed = (mixed ^ mixed >> 15) * 0x85eb'ca6bU;
    return mixed >> 16;
  }

  std::uint32_t position_;
  std::array<std::uint32_t, kRounds> keys_{};
};

}  // namespace runnel::relay
