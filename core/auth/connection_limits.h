// How many connections or sessions there may be, in all and for each address or token.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/auth/limit_key.h"
#include "core/auth/limit_table.h"

namespace runnel::auth {

/// Counts what is open. Each admission must be followed by one release of the same key. Allocates
/// when built and never after. Not thread-safe.
class ConnectionLimits {
 public:
  enum class Admission : std::uint8_t {
    admitted,
    too_many,          // in all
    too_many_of_this,  // of this key
  };

  /// Each of the limits at least 1. `seed` as in RateLimiter.
  ConnectionLimits(std::size_t limit, std::size_t limit_per_key, std::uint64_t seed);

  [[nodiscard]] Admission admit(LimitKey key) noexcept;
  /// Releasing what was not admitted is a bug and aborts.
  void release(LimitKey key) noexcept;

  [[nodiscard]] std::size_t total() const noexcept { return total_; }
  [[nodiscard]] std::size_t count(LimitKey key) noexcept;

 private:
  std::size_t limit_;
  std::size_t limit_per_key_;
  std::size_t total_ = 0;
  LimitTable<std::size_t> table_;
};

}  // namespace runnel::auth
