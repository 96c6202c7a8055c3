#include "core/auth/rate_limiter.h"

#include <algorithm>
#include <limits>

namespace runnel::auth {

std::optional<Duration> RateBucket::take(const Rate& rate, Timestamp now) noexcept {
  const Duration interval = Duration(std::chrono::seconds(1)) / rate.per_second;
  const Timestamp full_at = std::max(full_at_, now) + interval;
  const Timestamp earliest = full_at - interval * rate.burst;
  if (earliest > now) return earliest - now;
  full_at_ = full_at;
  return std::nullopt;
}

RateLimiter::RateLimiter(RateBucket::Rate rate, std::uint64_t seed, std::size_t capacity)
    : rate_(rate), table_(capacity, seed) {}

std::optional<Duration> RateLimiter::take(LimitKey key, Timestamp now) noexcept {
  return table_.find_or_create(key).take(rate_, now);
}

FailureLimiter::FailureLimiter(std::uint32_t tries, Duration window, std::uint64_t seed,
                               std::size_t capacity)
    : tries_(tries), window_(window), table_(capacity, seed) {}

std::optional<Duration> FailureLimiter::wait(LimitKey key, Timestamp now) noexcept {
  const Failures* failures = table_.find(key);
  if (failures == nullptr || failures->count < tries_) return std::nullopt;
  const Timestamp end = failures->first + window_;
  if (end <= now) return std::nullopt;
  return end - now;
}

void FailureLimiter::fail(LimitKey key, Timestamp now) noexcept {
  Failures& failures = table_.find_or_create(key);
  const bool is_over = failures.count == 0 || now - failures.first >= window_;
  if (is_over) failures = {now, 0};
  if (failures.count < std::numeric_limits<std::uint32_t>::max()) ++failures.count;
}

}  // namespace runnel::auth
