// Randomness of the kernel.
#pragma once

#include "core/base/random.h"

namespace runnel::daemon {

/// getrandom(2): cryptographically strong, and never early at boot. Thread-safe.
class SystemRandom final : public RandomSource {
 public:
  void fill(ByteSpan out) noexcept override;
};

}  // namespace runnel::daemon
