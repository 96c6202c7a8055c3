// Bytes that wait in one piece: appended behind, taken from the front.
#pragma once

#include <vector>

#include "core/base/bytes.h"

namespace runnel::tls {

/// Grows as needed (its users hold the limits), and gives its memory back when it is empty.
class ByteQueue {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return bytes_.size() - taken_; }
  [[nodiscard]] bool empty() const noexcept { return size() == 0; }
  /// Valid until the queue changes.
  [[nodiscard]] ByteView view() const noexcept { return ByteView(bytes_).subspan(taken_); }

  void append(ByteView bytes) {
    if (taken_ > size()) {
      bytes_.erase(bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(taken_));
      taken_ = 0;
    }
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }

  /// At most size().
  void take(std::size_t count) noexcept {
    taken_ += count;
    if (empty()) clear();
  }

  void clear() noexcept {
    taken_ = 0;
    // Small queues keep their memory, so that a connection that talks little does not allocate.
    constexpr std::size_t kKept = 4096;
    if (bytes_.capacity() > kKept) {
      std::vector<std::uint8_t>().swap(bytes_);
    } else {
      bytes_.clear();
    }
  }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t taken_ = 0;
};

}  // namespace runnel::tls
