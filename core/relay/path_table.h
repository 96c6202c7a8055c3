// Which receiver leg is at the other end of a path, for ports that many legs share.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "core/base/address.h"
#include "core/relay/relay_description.h"

namespace runnel::relay {

/// A local port and a remote address.
struct Path {
  PortIndex port{};
  SocketAddress remote;

  friend bool operator==(const Path&, const Path&) = default;
};

struct PathHash {
  [[nodiscard]] std::size_t operator()(const Path& path) const noexcept {
    return SocketAddressHash()(path.remote) ^
           (static_cast<std::size_t>(path.port) * 0x9e3779b97f4a7c15U);
  }
};

/// Several media of one leg may use one path; it belongs to the leg until the last of them leaves.
class PathTable {
 public:
  void reserve(std::size_t paths) { entries_.reserve(paths); }

  [[nodiscard]] std::optional<std::uint32_t> find(const Path& path) const noexcept {
    const auto found = entries_.find(path);
    if (found == entries_.end()) return std::nullopt;
    return found->second.leg;
  }
  /// False when the path belongs to another leg.
  [[nodiscard]] bool add(const Path& path, std::uint32_t leg) {
    Entry& entry = entries_.try_emplace(path, Entry{leg, 0}).first->second;
    if (entry.leg != leg) return false;
    ++entry.users;
    return true;
  }
  void remove(const Path& path) {
    const auto found = entries_.find(path);
    if (found != entries_.end() && --found->second.users == 0) entries_.erase(found);
  }

 private:
  struct Entry {
    std::uint32_t leg = 0;
    std::uint32_t users = 0;
  };
  std::unordered_map<Path, Entry, PathHash> entries_;
};

}  // namespace runnel::relay
