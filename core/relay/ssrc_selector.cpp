#include "core/relay/ssrc_selector.h"

#include <algorithm>

namespace runnel::relay {

SsrcSelector::Verdict SsrcSelector::judge(std::uint32_t ssrc,
                                          bool current_is_silent) const noexcept {
  if (current_ == ssrc) return Verdict::current;
  if (current_is_silent) return Verdict::newcomer;
  const bool replaced = std::ranges::find(replaced_, std::optional(ssrc)) != replaced_.end();
  return replaced ? Verdict::superseded : Verdict::newcomer;
}

void SsrcSelector::select(std::uint32_t ssrc) noexcept {
  if (current_ == ssrc) return;
  for (std::optional<std::uint32_t>& replaced : replaced_) {
    if (replaced == ssrc) replaced.reset();
  }
  if (current_) {
    replaced_[next_] = current_;
    next_ = (next_ + 1) % kRemembered;
  }
  current_ = ssrc;
}

}  // namespace runnel::relay
