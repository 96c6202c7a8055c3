// Bytes that grow at the end, never initialised in vain, and give back what they no longer need.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/base/bytes.h"

namespace runnel::websocket {

/// Grows by doubling, so that it never holds more than twice what was really put into it (or
/// kSmallest). Move-only.
class ByteBuffer {
 public:
  static constexpr std::size_t kSmallest = 256;

  [[nodiscard]] ByteView view() const noexcept { return {bytes_.get(), size_}; }
  [[nodiscard]] ByteSpan span() noexcept { return {bytes_.get(), size_}; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

  void append(ByteView more) {
    copy_bytes(room(more.size()), more);
    size_ += more.size();
  }
  /// At least `size` bytes (more when there are) to write to behind the end; grown() makes them
  /// count. Valid until the next change.
  [[nodiscard]] ByteSpan room(std::size_t size) {
    if (capacity_ - size_ < size) grow(size_ + size);
    return {bytes_.get() + size_, capacity_ - size_};
  }
  void grown(std::size_t size) noexcept { size_ += size; }
  void shorten(std::size_t size) noexcept { size_ = size; }

  /// Empty again. Memory beyond `kept` bytes is given back.
  void clear(std::size_t kept) noexcept {
    size_ = 0;
    if (capacity_ > kept) {
      bytes_.reset();
      capacity_ = 0;
    }
  }

 private:
  void grow(std::size_t needed) {
    const std::size_t capacity = std::max({needed, 2 * capacity_, kSmallest});
    auto bytes = std::make_unique_for_overwrite<std::uint8_t[]>(capacity);
    copy_bytes({bytes.get(), capacity}, view());
    bytes_ = std::move(bytes);
    capacity_ = capacity;
  }

  std::unique_ptr<std::uint8_t[]> bytes_;
  std::size_t size_ = 0;
  std::size_t capacity_ = 0;
};

}  // namespace runnel::websocket
