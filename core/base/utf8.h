// UTF-8 (RFC 3629) checked piece by piece, failing at the first byte that cannot be right.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/bytes.h"

namespace runnel {

/// Checks a text that arrives in pieces, cut anywhere.
class Utf8Validator {
 public:
  /// Whether the text is still the beginning of valid UTF-8. After a false the validator is of no
  /// use until reset().
  [[nodiscard]] bool accept(ByteView piece) noexcept;
  /// Whether the text may end here: not within a character.
  [[nodiscard]] bool is_complete() const noexcept { return missing_ == 0; }
  void reset() noexcept { missing_ = 0; }

 private:
  // Within a character: how many bytes it still wants, and between what the next of them lies.
  std::uint8_t missing_ = 0;
  std::uint8_t lowest_ = 0x80;
  std::uint8_t highest_ = 0xbf;
};

/// A text as a whole.
[[nodiscard]] bool is_valid_utf8(ByteView text) noexcept;
[[nodiscard]] inline bool is_valid_utf8(std::string_view text) noexcept {
  return is_valid_utf8(ByteView(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
}

}  // namespace runnel
