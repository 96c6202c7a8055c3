// A bounded table by address or token, in which the entry unused longest makes room for a new one.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/auth/limit_key.h"
#include "core/base/check.h"

namespace runnel::auth {

/// Chained hash table over a fixed array of entries, which a list keeps in the order of their use.
/// Every operation is constant on average, whatever keys a stranger chooses, as the hash is seeded.
/// Allocates when built and never after. Not thread-safe.
template <typename Value>
class LimitTable {
 public:
  /// `capacity` is 1 to 2^30.
  LimitTable(std::size_t capacity, std::uint64_t seed)
      : seed_(seed), buckets_(std::bit_ceil(capacity), kNone), entries_(capacity) {
    RUNNEL_CHECK(capacity >= 1 && capacity <= kMostEntries);
    // All entries stand in the order of use from the beginning; the unused ones are the oldest.
    for (std::size_t i = 0; i < capacity; ++i) insert_as_newest(static_cast<Index>(i));
  }

  /// The value of `key`, which now is the one used last; nullptr when it has none. Valid until the
  /// next call of find_or_create or erase.
  [[nodiscard]] Value* find(LimitKey key) noexcept {
    const Index index = look_up(key);
    if (index == kNone) return nullptr;
    make_newest(index);
    return &entries_[index].value;
  }

  /// The same, and a default-constructed value in place of the one unused longest when there is
  /// none.
  [[nodiscard]] Value& find_or_create(LimitKey key) noexcept {
    if (Value* known = find(key)) return *known;
    const Index index = oldest_;
    Entry& entry = entries_[index];
    if (entry.is_used) unchain(index);
    entry.key = key;
    entry.value = Value{};
    entry.is_used = true;
    chain(index);
    make_newest(index);
    return entry.value;
  }

  /// Forgets `key`, whose entry is the first to be used again.
  void erase(LimitKey key) noexcept {
    const Index index = look_up(key);
    if (index == kNone) return;
    unchain(index);
    entries_[index].is_used = false;
    take_out(index);
    insert_as_oldest(index);
  }

 private:
  using Index = std::uint32_t;
  static constexpr Index kNone = 0xffff'ffff;
  static constexpr std::size_t kMostEntries = std::size_t{1} << 30;

  struct Entry {
    LimitKey key;
    Value value{};
    bool is_used = false;
    Index next_in_bucket = kNone;
    Index newer = kNone;
    Index older = kNone;
  };

  [[nodiscard]] Index& bucket_of(LimitKey key) noexcept {
    return buckets_[hash(key, seed_) & (buckets_.size() - 1)];
  }

  [[nodiscard]] Index look_up(LimitKey key) noexcept {
    Index index = bucket_of(key);
    while (index != kNone && !(entries_[index].key == key)) index = entries_[index].next_in_bucket;
    return index;
  }

  void chain(Index index) noexcept {
    Index& first = bucket_of(entries_[index].key);
    entries_[index].next_in_bucket = first;
    first = index;
  }

  void unchain(Index index) noexcept {
    Index* link = &bucket_of(entries_[index].key);
    while (*link != index) link = &entries_[*link].next_in_bucket;
    *link = entries_[index].next_in_bucket;
  }

  void insert_as_newest(Index index) noexcept {
    entries_[index].newer = kNone;
    entries_[index].older = newest_;
    (newest_ == kNone ? oldest_ : entries_[newest_].newer) = index;
    newest_ = index;
  }

  void insert_as_oldest(Index index) noexcept {
    entries_[index].older = kNone;
    entries_[index].newer = oldest_;
    (oldest_ == kNone ? newest_ : entries_[oldest_].older) = index;
    oldest_ = index;
  }

  void take_out(Index index) noexcept {
    const Entry& entry = entries_[index];
    (entry.newer == kNone ? newest_ : entries_[entry.newer].older) = entry.older;
    (entry.older == kNone ? oldest_ : entries_[entry.older].newer) = entry.newer;
  }

  void make_newest(Index index) noexcept {
    if (index == newest_) return;
    take_out(index);
    insert_as_newest(index);
  }

  std::uint64_t seed_;
  std::vector<Index> buckets_;
  std::vector<Entry> entries_;
  Index newest_ = kNone;
  Index oldest_ = kNone;
};

}  // namespace runnel::auth
