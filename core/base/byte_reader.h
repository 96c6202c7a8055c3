// Reads big-endian values from a view, and never past its end.
#pragma once

#include <optional>

#include "core/base/bytes.h"

namespace runnel {

/// Takes values from the front of a view. Each call either consumes all that it asks for or, when
/// fewer bytes are left, consumes nothing and answers nullopt. The view must outlive the reader.
class ByteReader {
 public:
  explicit ByteReader(ByteView bytes) noexcept : rest_(bytes) {}

  [[nodiscard]] std::size_t remaining() const noexcept { return rest_.size(); }
  [[nodiscard]] ByteView rest() const noexcept { return rest_; }

  [[nodiscard]] std::optional<std::uint8_t> u8() noexcept {
    return take(1).transform([](ByteView b) { return b[0]; });
  }
  [[nodiscard]] std::optional<std::uint16_t> u16() noexcept {
    return take(2).transform([](ByteView b) { return load_be16(b.data()); });
  }
  [[nodiscard]] std::optional<std::uint32_t> u24() noexcept {
    return take(3).transform([](ByteView b) { return load_be24(b.data()); });
  }
  [[nodiscard]] std::optional<std::uint32_t> u32() noexcept {
    return take(4).transform([](ByteView b) { return load_be32(b.data()); });
  }
  [[nodiscard]] std::optional<std::uint64_t> u64() noexcept {
    return take(8).transform([](ByteView b) { return load_be64(b.data()); });
  }
  /// A view of the next `count` bytes; lives as long as the underlying view.
  [[nodiscard]] std::optional<ByteView> take(std::size_t count) noexcept {
    if (count > rest_.size()) return std::nullopt;
    const ByteView taken = rest_.first(count);
    rest_ = rest_.subspan(count);
    return taken;
  }

 private:
  ByteView rest_;
};

}  // namespace runnel
