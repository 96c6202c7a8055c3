#include "core/srtp/ssrc_table.h"

#include <algorithm>
#include <bit>

#include "core/base/check.h"

namespace runnel::srtp {

SsrcTable::SsrcTable(std::size_t max_entries)
    : entries_(std::bit_ceil(2 * std::max<std::size_t>(max_entries, 1))),
      shift_(static_cast<unsigned>(32 - std::countr_zero(entries_.size()))) {
  RUNNEL_CHECK(max_entries < (std::size_t{1} << 30));
}

void SsrcTable::insert(std::uint32_t ssrc, std::uint32_t context) noexcept {
  std::size_t place = home(ssrc);
  while (entries_[place].context != kFree) place = next(place);
  entries_[place] = {.ssrc = ssrc, .context = context};
}

void SsrcTable::erase(std::uint32_t ssrc) noexcept {
  std::size_t hole = home(ssrc);
  while (entries_[hole].ssrc != ssrc || entries_[hole].context == kFree) hole = next(hole);
  // Whoever stands behind the hole and would no longer be found across it moves into it.
  const std::size_t mask = entries_.size() - 1;
  for (std::size_t place = next(hole); entries_[place].context != kFree; place = next(place)) {
    const std::size_t distance_from_home = (place - home(entries_[place].ssrc)) & mask;
    const std::size_t distance_from_hole = (place - hole) & mask;
    if (distance_from_home < distance_from_hole) continue;
    entries_[hole] = entries_[place];
    hole = place;
  }
  entries_[hole] = {};
}

void SsrcTable::clear() noexcept {
  std::ranges::fill(entries_, Entry{});
}

}  // namespace runnel::srtp
