#include "core/relay/ssrc_registry.h"

#include <algorithm>
#include <utility>

namespace runnel::relay {

void SsrcRegistry::reserve(std::size_t ssrcs) {
  drawn_.reserve(ssrcs);
  retired_.reserve(std::max(kLeastRetired, kRetiredForEach * ssrcs));
}

void SsrcRegistry::remove_pinned(std::uint32_t ssrc) noexcept {
  const auto found = pinned_.find(ssrc);
  if (found != pinned_.end()) pinned_.erase(found);
}

std::uint32_t SsrcRegistry::draw() {
  const std::uint32_t ssrc = unused();
  drawn_.insert(ssrc);
  return ssrc;
}

std::uint32_t SsrcRegistry::redraw(std::uint32_t old) noexcept {
  const std::uint32_t fresh = unused();
  retired_.add(old);
  auto node = drawn_.extract(old);
  node.value() = fresh;
  drawn_.insert(std::move(node));
  return fresh;
}

void SsrcRegistry::retire(std::uint32_t ssrc) noexcept {
  if (drawn_.erase(ssrc) != 0) retired_.add(ssrc);
}

std::uint32_t SsrcRegistry::reserve_one() {
  const std::uint32_t ssrc = unused();
  reserved_.insert(ssrc);
  return ssrc;
}

std::uint32_t SsrcRegistry::unused() noexcept {
  std::uint32_t ssrc = sequence_.next();
  // 0 is legal, but many programs take it for "none".
  while (ssrc == 0 || is_our_own(ssrc) || pinned_.contains(ssrc) || reserved_.contains(ssrc)) {
    ssrc = sequence_.next();
  }
  return ssrc;
}

}  // namespace runnel::relay
