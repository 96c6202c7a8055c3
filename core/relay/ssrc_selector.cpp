#include "core/relay/ssrc_selector.h"

#include <algorithm>

namespace runnel::relay {

SsrcSelector::Verdict SsrcSelector::judge(std::uint32_t ssrc,
                                          bool current_is_silent) const noexcept {
  if (current_ == ssrc) return Verdict::current;
  if (current_is_silent) return Verdict::newcomer;
  return std::ranges::any_of(replaced_, has(ssrc)) ? Verdict::superseded : Verdict::newcomer;
}

void SsrcSelector::select(std::uint32_t ssrc) noexcept {
  if (current_ == ssrc) return;
  for (Replaced& replaced : replaced_) {
    if (replaced.ssrc == ssrc) replaced = {};
  }
  if (current_) {
    replaced_[next_] = {current_, 0};
    next_ = (next_ + 1) % kRemembered;
  }
  current_ = ssrc;
}

void SsrcSelector::current_delivered() noexcept {
  if (!any_insists_) return;
  for (Replaced& replaced : replaced_) replaced.packets = 0;
  any_insists_ = false;
}

bool SsrcSelector::insists(std::uint32_t ssrc) noexcept {
  const auto replaced = std::ranges::find_if(replaced_, has(ssrc));
  if (replaced == replaced_.end()) return false;
  any_insists_ = true;
  if (replaced->packets < kInsistence) ++replaced->packets;
  return replaced->packets == kInsistence;
}

bool SsrcSelector::is_in_sequence(std::uint32_t ssrc, std::uint16_t sequence_number) noexcept {
  const bool in_sequence = candidate_ == Candidate{ssrc, sequence_number};
  candidate_ = Candidate{ssrc, static_cast<std::uint16_t>(sequence_number + 1)};
  return in_sequence;
}

}  // namespace runnel::relay
