// How often somebody may ask, and how often somebody may fail.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/auth/limit_key.h"
#include "core/auth/limit_table.h"
#include "core/base/time.h"

namespace runnel::auth {

inline constexpr std::size_t kDefaultLimitEntries = 10'000;

/// A token bucket for one asker who needs no table, such as a session.
class RateBucket {
 public:
  struct Rate {
    std::uint32_t per_second = 50;  // at least 1
    std::uint32_t burst = 100;      // at least 1: how many may come at once after a silence
  };

  /// Full at first.
  RateBucket() noexcept = default;
  /// Takes one. nullopt: there was one; otherwise how long to wait for the next, and nothing taken.
  [[nodiscard]] std::optional<Duration> take(const Rate& rate, Timestamp now) noexcept;

 private:
  // When the bucket will be full again; a full one lies in the past (GCRA).
  Timestamp full_at_ = Timestamp::min();
};

/// Requests per second of many, by key. Bounded: the key that has been silent longest makes room.
/// Allocates when built and never after. Not thread-safe.
class RateLimiter {
 public:
  /// `seed` is random, so that nobody can choose keys that collide.
  RateLimiter(RateBucket::Rate rate, std::uint64_t seed,
              std::size_t capacity = kDefaultLimitEntries);

  /// As RateBucket::take.
  [[nodiscard]] std::optional<Duration> take(LimitKey key, Timestamp now) noexcept;

 private:
  RateBucket::Rate rate_;
  LimitTable<RateBucket> table_;
};

/// Failed tries, by key: after `tries` within `window` whoever has failed has to wait until the
/// window, which begins with the first failure, is over. Bounded as RateLimiter is; only failures
/// take a place. Allocates when built and never after. Not thread-safe.
class FailureLimiter {
 public:
  FailureLimiter(std::uint32_t tries, Duration window, std::uint64_t seed,
                 std::size_t capacity = kDefaultLimitEntries);

  /// How long `key` has to wait before a token of it is looked at; nullopt: not at all.
  [[nodiscard]] std::optional<Duration> wait(LimitKey key, Timestamp now) noexcept;
  void fail(LimitKey key, Timestamp now) noexcept;

 private:
  struct Failures {
    Timestamp first = Timestamp::min();
    std::uint32_t count = 0;
  };

  std::uint32_t tries_;
  Duration window_;
  LimitTable<Failures> table_;
};

}  // namespace runnel::auth
