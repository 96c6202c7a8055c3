// Whose path a datagram has come by: a hash table whose entries live in the peers, so that a new
// path costs no allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/path.h"
#include "core/base/time.h"

namespace runnel::transport {

struct Peer;

/// A path that a peer has authenticated by a check. Lives in the peer, and must not move while it
/// is in the directory.
struct PeerPath {
  Path path;
  Peer* owner = nullptr;     // nullptr: not in use
  Timestamp last_check{};    // authentic ones
  PeerPath* next = nullptr;  // in its bucket
};

class PathDirectory {
 public:
  /// Room for `paths` with short buckets; more only become slower.
  explicit PathDirectory(std::size_t paths);

  [[nodiscard]] PeerPath* find(const Path& path) const noexcept;
  /// `entry.path` must not be in the directory.
  void add(PeerPath& entry) noexcept;
  /// `entry` must be in the directory.
  void remove(PeerPath& entry) noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  [[nodiscard]] std::size_t bucket_of(const Path& path) const noexcept;

  std::vector<PeerPath*> buckets_;  // a power of two of them
  std::size_t size_ = 0;
};

}  // namespace runnel::transport
