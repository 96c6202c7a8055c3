// Who is at the other end of a path, for ports that many legs share.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "core/base/path.h"

namespace runnel::relay {

/// Owners are numbers of receiver legs, or of relays. Several media of one owner may use one path;
/// it belongs to the owner until the last of them leaves.
class PathTable {
 public:
  void reserve(std::size_t paths) { entries_.reserve(paths); }

  [[nodiscard]] std::optional<std::uint32_t> find(const Path& path) const noexcept {
    const auto found = entries_.find(path);
    if (found == entries_.end()) return std::nullopt;
    return found->second.owner;
  }
  /// False when the path belongs to another owner.
  [[nodiscard]] bool add(const Path& path, std::uint32_t owner) {
    Entry& entry = entries_.try_emplace(path, Entry{owner, 0}).first->second;
    if (entry.owner != owner) return false;
    ++entry.users;
    return true;
  }
  void remove(const Path& path) {
    const auto found = entries_.find(path);
    if (found != entries_.end() && --found->second.users == 0) entries_.erase(found);
  }
  [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }

 private:
  struct Entry {
    std::uint32_t owner = 0;
    std::uint32_t users = 0;
  };
  std::unordered_map<Path, Entry, PathHash> entries_;
};

}  // namespace runnel::relay
