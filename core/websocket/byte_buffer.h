// Bytes that grow at the end, never initialised in vain, and give back what they no longer need.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "core/base/bytes.h"

namespace runnel::websocket {

/// Never holds more than eight times what was really put into it (or kSmallest). Move-only.
class ByteBuffer {
 public:
  static constexpr std::size_t kSmallest = 256;

  [[nodiscard]] ByteView view() const noexcept { return {bytes_.get(), size_}; }
  [[nodiscard]] ByteSpan span() noexcept { return {bytes_.get(), size_}; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

  /// `expected`: how many bytes there will be in the end, as far as somebody has said so; it saves
  /// copies, and is believed only as far as the bytes that came bear it out.
  void append(ByteView more, std::size_t expected = 0) {
    const std::size_t size = size_ + more.size();
    if (size > capacity_) grow(std::max({size, 2 * capacity_, std::min(expected, 8 * size)}));
    copy_bytes({bytes_.get() + size_, more.size()}, more);
    size_ = size;
  }
  /// At least `size` bytes (more when there are) to write to behind the end; grown() makes them
  /// count. Valid until the next change.
  [[nodiscard]] ByteSpan room(std::size_t size) {
    if (capacity_ - size_ < size) grow(std::max(size_ + size, 2 * capacity_));
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
  void grow(std::size_t wanted) {
    const std::size_t capacity = std::max(wanted, kSmallest);
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
