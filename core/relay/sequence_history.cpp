#include "core/relay/sequence_history.h"

#include <algorithm>

namespace runnel::relay {

void SequenceHistory::begin(const SequenceSegment& segment, std::uint64_t position,
                            std::uint16_t sequence_number) noexcept {
  const std::uint64_t number = line_.unwrap(sequence_number);
  // Nothing was sent in a segment that begins where this one does.
  if (count_ != 0 && entries_[count_ - 1].first_number >= number) --count_;
  if (count_ == kSegments) {
    std::move(entries_.begin() + 1, entries_.end(), entries_.begin());
    --count_;
    first_is_known_ = false;
  }
  entries_[count_++] = {segment, number, position};
}

void SequenceHistory::forget() noexcept {
  line_.reset();
  count_ = 0;
  first_is_known_ = true;
}

std::optional<SequenceHistory::Origin> SequenceHistory::find(
    std::uint16_t sequence_number) const noexcept {
  if (count_ == 0) return std::nullopt;
  const std::uint64_t newest = *line_.highest();
  const std::uint64_t number = line_.peek(sequence_number);
  if (number > newest || newest - number > kReach) return std::nullopt;
  std::size_t index = count_ - 1;
  while (index != 0 && number < entries_[index].first_number) --index;
  const Entry& entry = entries_[index];
  if (entry.gone || (number < entry.first_number && !first_is_known_)) return std::nullopt;
  // Modulo 2^64, for what comes before the first.
  return Origin{entry.segment, entry.first_position + (number - entry.first_number)};
}

void SequenceHistory::forget_track(std::uint32_t track) noexcept {
  for (Entry& entry : entries_) {
    if (entry.segment.track == track) entry.gone = true;
  }
}

}  // namespace runnel::relay
