// Key material: wiped when it dies, impossible to print, and copied only where the code says so.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "core/base/bytes.h"
#include "core/base/check.h"

namespace runnel {

/// Overwrites with zeros in a way that the optimiser must keep.
void wipe(void* memory, std::size_t size) noexcept;

/// Up to `Capacity` secret bytes, stored in place. Move-only; moving wipes the origin. It has no
/// stream operator, no formatter and no implicit conversion, so that it cannot reach a log by
/// accident. Not thread-safe.
template <std::size_t Capacity>
class Secret {
 public:
  Secret() noexcept = default;
  /// `bytes` must not be longer than `Capacity`. The caller wipes its own copy.
  explicit Secret(ByteView bytes) noexcept : size_(bytes.size()) {
    RUNNEL_CHECK(bytes.size() <= Capacity);
    copy_bytes(storage_, bytes);
  }
  Secret(const Secret&) = delete;
  Secret& operator=(const Secret&) = delete;
  Secret(Secret&& other) noexcept { take(other); }
  Secret& operator=(Secret&& other) noexcept {
    if (this != &other) take(other);
    return *this;
  }
  ~Secret() { wipe(storage_.data(), Capacity); }

  /// A deliberate copy.
  [[nodiscard]] Secret clone() const noexcept { return Secret(view()); }
  /// Valid until this object moves or dies.
  [[nodiscard]] ByteView view() const noexcept { return ByteView(storage_).first(size_); }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

 private:
  void take(Secret& other) noexcept {
    // Overwrites all of the storage, so that nothing of a longer predecessor stays.
    storage_ = other.storage_;
    size_ = std::exchange(other.size_, 0);
    wipe(other.storage_.data(), Capacity);
  }

  std::array<std::uint8_t, Capacity> storage_{};
  std::size_t size_ = 0;
};

}  // namespace runnel
