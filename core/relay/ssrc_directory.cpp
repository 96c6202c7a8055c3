#include "core/relay/ssrc_directory.h"

#include <utility>

namespace runnel::relay {
namespace {

constexpr std::size_t kLeastEntries = 16;

}  // namespace

SsrcDirectory::SsrcDirectory(std::uint64_t secret) : secret_(secret), entries_(kLeastEntries) {}

void SsrcDirectory::add(PortIndex port, std::uint32_t ssrc, Holder holder) {
  if (2 * (size_ + 1) > entries_.size()) grow();
  put({key_of(port, ssrc), holder, true});
  ++size_;
}

void SsrcDirectory::remove(PortIndex port, std::uint32_t ssrc) noexcept {
  const std::uint64_t key = key_of(port, ssrc);
  std::size_t hole = home(key);
  while (entries_[hole].used && entries_[hole].key != key) hole = next(hole);
  if (!entries_[hole].used) return;
  // Whoever stands behind the hole and would no longer be found across it moves into it.
  const std::size_t mask = entries_.size() - 1;
  for (std::size_t place = next(hole); entries_[place].used; place = next(place)) {
    const std::size_t distance_from_home = (place - home(entries_[place].key)) & mask;
    const std::size_t distance_from_hole = (place - hole) & mask;
    if (distance_from_home < distance_from_hole) continue;
    entries_[hole] = entries_[place];
    hole = place;
  }
  entries_[hole] = {};
  --size_;
}

void SsrcDirectory::put(const Entry& entry) noexcept {
  std::size_t place = home(entry.key);
  while (entries_[place].used) place = next(place);
  entries_[place] = entry;
}

void SsrcDirectory::grow() {
  const std::vector<Entry> before =
      std::exchange(entries_, std::vector<Entry>(2 * entries_.size()));
  for (const Entry& entry : before) {
    if (entry.used) put(entry);
  }
}

}  // namespace runnel::relay
