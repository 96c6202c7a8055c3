// A table of things that come and go, with numbers that stay theirs as long as they are in it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <ranges>
#include <utility>
#include <vector>

namespace runnel {

/// The number that was freed last is the next to be given; without one, the lowest that never was.
/// `add` may move everything, so references hold until then. Never shrinks.
template <typename T>
class SlotTable {
 public:
  /// What `add` will answer next.
  [[nodiscard]] std::uint32_t next_number() const noexcept {
    return free_.empty() ? static_cast<std::uint32_t>(slots_.size()) : free_.back();
  }
  std::uint32_t add(T thing) {
    const std::uint32_t number = next_number();
    if (free_.empty()) {
      slots_.emplace_back(std::move(thing));
    } else {
      slots_[number].emplace(std::move(thing));
      free_.pop_back();
    }
    return number;
  }
  /// `number` must be in use, as for `[]`.
  void remove(std::uint32_t number) {
    slots_[number].reset();
    free_.push_back(number);
  }

  [[nodiscard]] bool holds(std::size_t number) const noexcept {
    return number < slots_.size() && slots_[number].has_value();
  }
  [[nodiscard]] T& operator[](std::size_t number) noexcept { return *slots_[number]; }
  [[nodiscard]] const T& operator[](std::size_t number) const noexcept { return *slots_[number]; }

  /// How many are in it.
  [[nodiscard]] std::size_t size() const noexcept { return slots_.size() - free_.size(); }
  /// All numbers that have ever been given are below.
  [[nodiscard]] std::size_t bound() const noexcept { return slots_.size(); }
  /// The numbers in use, ascending.
  [[nodiscard]] auto numbers() const noexcept {
    return std::views::iota(std::uint32_t{0}, static_cast<std::uint32_t>(slots_.size())) |
           std::views::filter([this](std::uint32_t number) { return holds(number); });
  }

 private:
  std::vector<std::optional<T>> slots_;
  std::vector<std::uint32_t> free_;
};

}  // namespace runnel
