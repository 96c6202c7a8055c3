// A list with a bound that lives on the stack and costs nothing for the places it does not use.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "core/base/check.h"

namespace runnel::srtp {

/// At most `Capacity` elements; they never move. An array of them would be initialised whole for
/// each batch, and most batches are short.
template <typename T, std::size_t Capacity>
class StackList {
  static_assert(std::is_trivially_destructible_v<T>);

 public:
  StackList() noexcept {}
  StackList(const StackList&) = delete;
  StackList& operator=(const StackList&) = delete;

  /// Made where it stays. Fill the members of an aggregate afterwards, one by one: a temporary that
  /// is put together from narrow stores and then copied with wide loads stalls the processor.
  template <typename... Arguments>
  T& emplace_back(Arguments&&... arguments) noexcept {
    RUNNEL_CHECK(size_ < Capacity);
    return *std::construct_at(elements_ + size_++, std::forward<Arguments>(arguments)...);
  }
  void clear() noexcept { size_ = 0; }

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] bool full() const noexcept { return size_ == Capacity; }
  [[nodiscard]] T& operator[](std::size_t index) noexcept { return elements_[index]; }
  [[nodiscard]] T* begin() noexcept { return elements_; }
  [[nodiscard]] T* end() noexcept { return elements_ + size_; }
  [[nodiscard]] std::span<T> span() noexcept { return {elements_, size_}; }

 private:
  std::size_t size_ = 0;
  union {
    T elements_[Capacity];
  };
};

}  // namespace runnel::srtp
