// Finds the context of an SSRC: a flat table with open addressing and a bound.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace runnel::srtp {

/// Maps an SSRC to the number of its context. Never more than half full, so that a search ends
/// after a step or two. Only authenticated SSRCs come in, so nobody outside can crowd one place.
class SsrcTable {
 public:
  /// Allocates room for `max_entries` here and nowhere else.
  explicit SsrcTable(std::size_t max_entries);

  [[nodiscard]] std::optional<std::uint32_t> find(std::uint32_t ssrc) const noexcept {
    for (std::size_t place = home(ssrc);; place = next(place)) {
      const Entry& entry = entries_[place];
      if (entry.context == kFree) return std::nullopt;
      if (entry.ssrc == ssrc) return entry.context;
    }
  }
  /// `ssrc` is not in the table yet, and there is room.
  void insert(std::uint32_t ssrc, std::uint32_t context) noexcept;
  /// `ssrc` is in the table.
  void erase(std::uint32_t ssrc) noexcept;
  void clear() noexcept;

 private:
  static constexpr std::uint32_t kFree = 0xffff'ffff;
  struct Entry {
    std::uint32_t ssrc = 0;
    std::uint32_t context = kFree;
  };

  [[nodiscard]] std::size_t home(std::uint32_t ssrc) const noexcept {
    return (ssrc * std::uint32_t{0x9e37'79b9}) >> shift_;  // 2^32 over the golden ratio
  }
  [[nodiscard]] std::size_t next(std::size_t place) const noexcept {
    return (place + 1) & (entries_.size() - 1);
  }

  std::vector<Entry> entries_;  // a power of two, at least 2
  unsigned shift_;
};

}  // namespace runnel::srtp
