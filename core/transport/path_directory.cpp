#include "core/transport/path_directory.h"

#include <algorithm>
#include <bit>

namespace runnel::transport {

PathDirectory::PathDirectory(std::size_t paths)
    : buckets_(std::bit_ceil(std::max<std::size_t>(paths, 1)), nullptr) {}

PeerPath* PathDirectory::find(const Path& path) const noexcept {
  PeerPath* entry = buckets_[bucket_of(path)];
  while (entry != nullptr && entry->path != path) entry = entry->next;
  return entry;
}

void PathDirectory::add(PeerPath& entry) noexcept {
  PeerPath*& bucket = buckets_[bucket_of(entry.path)];
  entry.next = bucket;
  bucket = &entry;
  ++size_;
}

void PathDirectory::remove(PeerPath& entry) noexcept {
  PeerPath** link = &buckets_[bucket_of(entry.path)];
  while (*link != &entry) link = &(*link)->next;
  *link = entry.next;
  entry.next = nullptr;
  --size_;
}

std::size_t PathDirectory::bucket_of(const Path& path) const noexcept {
  // The upper bits of the product depend on all bits of the hash.
  const std::uint64_t mixed = std::uint64_t{PathHash()(path)} * 0x9e3779b97f4a7c15U;
  return static_cast<std::size_t>(mixed >> 32) & (buckets_.size() - 1);
}

}  // namespace runnel::transport
