// A table of things that come and go, with numbers that stay theirs as long as they are in it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

namespace runnel {

/// The number that was freed last is the next to be given; without one, the lowest that never was.
/// Things stay where they are in memory. They lie in blocks, and a block goes with the last thing
/// in it: of a crowd that has gone, 4 bytes a number remain.
template <typename T>
class SlotTable {
 public:
  /// What `add` will answer next.
  [[nodiscard]] std::uint32_t next_number() const noexcept {
    return free_.empty() ? bound_ : free_.back();
  }
  std::uint32_t add(T thing) {
    const std::uint32_t number = next_number();
    if (number / kBlockSize == blocks_.size()) blocks_.emplace_back();
    std::unique_ptr<Block>& block = blocks_[number / kBlockSize];
    if (block == nullptr) block = std::make_unique<Block>();
    block->slots[number % kBlockSize].emplace(std::move(thing));
    ++block->used;
    if (number == bound_) {
      ++bound_;
    } else {
      free_.pop_back();
    }
    return number;
  }
  /// `number` must be in use, as for `[]`.
  void remove(std::uint32_t number) {
    std::unique_ptr<Block>& block = blocks_[number / kBlockSize];
    block->slots[number % kBlockSize].reset();
    if (--block->used == 0) block.reset();
    free_.push_back(number);
  }

  [[nodiscard]] bool holds(std::size_t number) const noexcept {
    if (number >= bound_) return false;
    const std::unique_ptr<Block>& block = blocks_[number / kBlockSize];
    return block != nullptr && block->slots[number % kBlockSize].has_value();
  }
  [[nodiscard]] T& operator[](std::size_t number) noexcept {
    return *blocks_[number / kBlockSize]->slots[number % kBlockSize];
  }
  [[nodiscard]] const T& operator[](std::size_t number) const noexcept {
    return *blocks_[number / kBlockSize]->slots[number % kBlockSize];
  }

  /// How many are in it.
  [[nodiscard]] std::size_t size() const noexcept { return bound_ - free_.size(); }
  /// All numbers that have ever been given are below.
  [[nodiscard]] std::size_t bound() const noexcept { return bound_; }
  /// For how many there is memory.
  [[nodiscard]] std::size_t capacity() const noexcept {
    const auto is_there = [](const std::unique_ptr<Block>& block) { return block != nullptr; };
    return static_cast<std::size_t>(std::ranges::count_if(blocks_, is_there)) * kBlockSize;
  }
  /// The numbers in use, ascending.
  [[nodiscard]] auto numbers() const noexcept {
    return std::views::iota(std::uint32_t{0}, bound_) |
           std::views::filter([this](std::uint32_t number) { return holds(number); });
  }

 private:
  static constexpr std::size_t kBlockSize = 16;
  struct Block {
    std::array<std::optional<T>, kBlockSize> slots;
    std::size_t used = 0;
  };

  std::vector<std::unique_ptr<Block>> blocks_;
  std::vector<std::uint32_t> free_;
  std::uint32_t bound_ = 0;
};

}  // namespace runnel
