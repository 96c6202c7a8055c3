// Reads bits, and the variable-length codes of video bitstreams, from the highest bit of each byte.
#pragma once

#include <cstdint>

#include "core/base/bytes.h"

namespace runnel::frames {

/// Past the end every bit is 0 and `failed` stays true, so that a reader of a whole structure
/// checks once, at its end.
class BitReader {
 public:
  enum class Escape : std::uint8_t {
    none,
    emulation_prevention,  // H.264 and H.265: a 3 behind two zeros is not part of the data
  };
  explicit BitReader(ByteView bytes, Escape escape = Escape::none) noexcept
      : bytes_(bytes), escaped_(escape == Escape::emulation_prevention) {}

  [[nodiscard]] bool failed() const noexcept { return failed_; }

  bool bit() noexcept {
    if (left_ == 0 && !next_byte()) return false;
    --left_;
    return ((byte_ >> left_) & 1) != 0;
  }
  /// At most 32 of them.
  std::uint32_t bits(unsigned count) noexcept {
    std::uint32_t value = 0;
    for (; count != 0; --count) value = value << 1 | static_cast<std::uint32_t>(bit());
    return value;
  }
  void skip(unsigned count) noexcept {
    for (; count != 0; --count) bit();
  }

  /// Exp-Golomb (H.264 §9.1). Fails for values that do not fit into 32 bits.
  std::uint32_t unsigned_code() noexcept {
    unsigned zeros = 0;
    while (!bit()) {
      if (failed_ || ++zeros == 32) {
        failed_ = true;
        return 0;
      }
    }
    return ((std::uint32_t{1} << zeros) - 1) + bits(zeros);
  }
  std::int32_t signed_code() noexcept {
    const std::uint32_t code = unsigned_code();
    const auto half = static_cast<std::int32_t>(code / 2);
    return code % 2 != 0 ? half + 1 : -half;
  }

 private:
  bool next_byte() noexcept {
    if (escaped_ && zeros_ >= 2 && at_ < bytes_.size() && bytes_[at_] == 3) {
      ++at_;
      zeros_ = 0;
    }
    if (at_ == bytes_.size()) {
      failed_ = true;
      return false;
    }
    byte_ = bytes_[at_++];
    zeros_ = byte_ == 0 ? zeros_ + 1 : 0;
    left_ = 8;
    return true;
  }

  ByteView bytes_;
  bool escaped_;
  bool failed_ = false;
  std::size_t at_ = 0;
  std::size_t zeros_ = 0;  // in a row, behind which `at_` stands
  std::uint8_t byte_ = 0;
  unsigned left_ = 0;  // bits of `byte_`
};

}  // namespace runnel::frames
