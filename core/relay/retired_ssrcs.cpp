#include "core/relay/retired_ssrcs.h"

#include <algorithm>

namespace runnel::relay {

void RetiredSsrcs::reserve(std::size_t capacity) {
  if (capacity <= capacity_) return;
  // Doubled, so that adding relays one by one does not copy everything each time.
  capacity_ = std::max(capacity, 2 * capacity_);
  std::ranges::rotate(ring_, ring_.begin() + static_cast<std::ptrdiff_t>(oldest_));
  oldest_ = 0;
  ring_.reserve(capacity_);
  table_ = srtp::SsrcTable(capacity_);
  for (const std::uint32_t ssrc : ring_) table_.insert(ssrc, 0);
}

void RetiredSsrcs::add(std::uint32_t ssrc) noexcept {
  if (capacity_ == 0) return;
  if (ring_.size() < capacity_) {
    ring_.push_back(ssrc);
  } else {
    table_.erase(ring_[oldest_]);
    ring_[oldest_] = ssrc;
    oldest_ = (oldest_ + 1) % capacity_;
  }
  table_.insert(ssrc, 0);
}

}  // namespace runnel::relay
