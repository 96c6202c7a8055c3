// Writes big-endian values into a span, and never past its end.
#pragma once

#include "core/base/bytes.h"

namespace runnel {

/// Appends values to a fixed span. Once something does not fit, nothing more is written and
/// `overflowed()` stays true, so that a writer of a whole message checks once, at its end. The span
/// must outlive the writer.
class ByteWriter {
 public:
  explicit ByteWriter(ByteSpan bytes) noexcept : bytes_(bytes) {}

  [[nodiscard]] bool overflowed() const noexcept { return overflowed_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t remaining() const noexcept { return bytes_.size() - size_; }
  /// What has been written so far.
  [[nodiscard]] ByteSpan written() const noexcept { return bytes_.first(size_); }

  void u8(std::uint8_t value) noexcept {
    if (std::uint8_t* p = claim(1)) *p = value;
  }
  void u16(std::uint16_t value) noexcept {
    if (std::uint8_t* p = claim(2)) store_be16(p, value);
  }
  /// The lower 24 bits.
  void u24(std::uint32_t value) noexcept {
    if (std::uint8_t* p = claim(3)) store_be24(p, value);
  }
  void u32(std::uint32_t value) noexcept {
    if (std::uint8_t* p = claim(4)) store_be32(p, value);
  }
  void u64(std::uint64_t value) noexcept {
    if (std::uint8_t* p = claim(8)) store_be64(p, value);
  }
  void bytes(ByteView from) noexcept {
    if (std::uint8_t* p = claim(from.size())) copy_bytes({p, from.size()}, from);
  }
  void zeros(std::size_t count) noexcept {
    std::uint8_t* p = claim(count);
    if (p != nullptr && count != 0) std::memset(p, 0, count);
  }

 private:
  std::uint8_t* claim(std::size_t count) noexcept {
    if (overflowed_ || count > remaining()) {
      overflowed_ = true;
      return nullptr;
    }
    std::uint8_t* p = bytes_.data() + size_;
    size_ += count;
    return p;
  }

  ByteSpan bytes_;
  std::size_t size_ = 0;
  bool overflowed_ = false;
};

}  // namespace runnel
