// Randomness as the core sees it: something the daemon lends.
#pragma once

#include "core/base/bytes.h"

namespace runnel {

/// A source of random bytes. In the daemon it must be cryptographically strong (SSRCs and initial
/// sequence numbers are drawn from it); tests lend a seeded one.
class RandomSource {
 public:
  virtual ~RandomSource() = default;
  virtual void fill(ByteSpan out) noexcept = 0;

  [[nodiscard]] std::uint32_t u32() noexcept {
    std::array<std::uint8_t, 4> bytes;
    fill(bytes);
    return load_be32(bytes.data());
  }
};

}  // namespace runnel
