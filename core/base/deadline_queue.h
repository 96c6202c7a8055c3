// Many deadlines behind one timer: a binary heap in which each item has at most one place.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/time.h"

namespace runnel {

/// Items are numbers below the size given by `resize`; each has one deadline or none. Setting,
/// clearing and taking cost O(log n) and allocate nothing.
class DeadlineQueue {
 public:
  /// Makes room for items 0 to `items` - 1. Never shrinks.
  void resize(std::size_t items);

  /// Replaces the deadline that the item had.
  void set(std::uint32_t item, Timestamp when) noexcept;
  void clear(std::uint32_t item) noexcept;

  [[nodiscard]] std::optional<Timestamp> earliest() const noexcept;
  /// Takes the item with the earliest deadline out of the queue, if that is not after `now`.
  [[nodiscard]] std::optional<std::uint32_t> take_due(Timestamp now) noexcept;

 private:
  static constexpr std::uint32_t kAbsent = ~std::uint32_t{0};

  [[nodiscard]] Timestamp when_at(std::size_t place) const noexcept { return when_[heap_[place]]; }
  void put(std::size_t place, std::uint32_t item) noexcept;
  void rise(std::size_t place) noexcept;
  void sink(std::size_t place) noexcept;

  std::vector<Timestamp> when_;       // by item
  std::vector<std::uint32_t> place_;  // by item: where it stands in the heap
  std::vector<std::uint32_t> heap_;   // items, the earliest first
};

}  // namespace runnel
