#include "core/auth/connection_limits.h"

namespace runnel::auth {

// As many entries as there may be connections: no key that has one can lose its entry.
ConnectionLimits::ConnectionLimits(std::size_t limit, std::size_t limit_per_key, std::uint64_t seed)
    : limit_(limit), limit_per_key_(limit_per_key), table_(limit, seed) {}

ConnectionLimits::Admission ConnectionLimits::admit(LimitKey key) noexcept {
  if (total_ == limit_) return Admission::too_many;
  std::size_t& count = table_.find_or_create(key);
  if (count == limit_per_key_) return Admission::too_many_of_this;
  ++count;
  ++total_;
  return Admission::admitted;
}

void ConnectionLimits::release(LimitKey key) noexcept {
  std::size_t* count = table_.find(key);
  RUNNEL_CHECK(count != nullptr && *count > 0);
  --total_;
  if (--*count == 0) table_.erase(key);
}

std::size_t ConnectionLimits::count(LimitKey key) noexcept {
  const std::size_t* count = table_.find(key);
  return count == nullptr ? 0 : *count;
}

}  // namespace runnel::auth
