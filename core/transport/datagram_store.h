// Datagrams that are kept for later: any number of lists in memory of a fixed size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/packet_slab.h"
#include "core/base/path.h"

namespace runnel::transport {

/// Some of a store's datagrams, in the order of their coming. To be emptied before it dies.
class DatagramList {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

 private:
  friend class DatagramStore;
  std::uint32_t first_ = 0;  // meaningless while empty, as is last_
  std::uint32_t last_ = 0;
  std::uint32_t size_ = 0;
};

/// Allocates when it is made, and never again.
class DatagramStore {
 public:
  explicit DatagramStore(std::size_t capacity);

  /// Copies. False: all places are taken, or it is longer than kPacketCapacity.
  [[nodiscard]] bool append(DatagramList& list, const Path& path, ByteView bytes) noexcept;
  /// Everything of `from` goes behind what `to` has.
  void move_all(DatagramList& from, DatagramList& to) noexcept;
  /// The oldest of `from` goes behind what `to` has; `from` must not be empty, as for the next
  /// ones.
  void move_front(DatagramList& from, DatagramList& to) noexcept;
  /// Valid until it is popped.
  [[nodiscard]] ByteSpan front_bytes(const DatagramList& list) noexcept;
  [[nodiscard]] const Path& front_path(const DatagramList& list) const noexcept;
  void pop_front(DatagramList& list) noexcept;
  void clear(DatagramList& list) noexcept;
  /// Calls `visit(path, bytes)` for each, the oldest first.
  template <typename Visitor>
  void for_each(const DatagramList& list, Visitor visit) noexcept {
    std::uint32_t place = list.first_;
    for (std::uint32_t i = 0; i < list.size_; ++i) {
      visit(places_[place].path, slab_.slot(place).first(places_[place].size));
      place = places_[place].next;
    }
  }

  [[nodiscard]] std::size_t capacity() const noexcept { return places_.size(); }
  /// In all lists.
  [[nodiscard]] std::size_t size() const noexcept { return places_.size() - free_.size(); }

 private:
  struct Place {
    Path path;
    std::uint32_t size = 0;
    std::uint32_t next = 0;
  };

  void link(DatagramList& list, std::uint32_t place) noexcept;
  std::uint32_t unlink_front(DatagramList& list) noexcept;

  PacketSlab slab_;
  std::vector<Place> places_;
  std::vector<std::uint32_t> free_;
};

}  // namespace runnel::transport
