#include "core/base/utf8.h"

namespace runnel {
namespace {

/// The first byte from `p` on that is not ASCII, or `end`.
const std::uint8_t* skip_ascii(const std::uint8_t* p, const std::uint8_t* end) noexcept {
  constexpr std::uint64_t kHighBits = 0x8080'8080'8080'8080;
  while (end - p >= 32) {
    std::array<std::uint64_t, 4> words;
    std::memcpy(words.data(), p, sizeof words);
    if (((words[0] | words[1] | words[2] | words[3]) & kHighBits) != 0) break;
    p += sizeof words;
  }
  while (p != end && *p < 0x80) ++p;
  return p;
}

/// What a leading byte demands (Unicode 15, table 3-7).
struct Lead {
  std::uint8_t missing = 0;  // bytes that follow; 0: this leads nothing
  std::uint8_t lowest = 0x80;
  std::uint8_t highest = 0xbf;
};

constexpr Lead lead_of(std::uint8_t byte) noexcept {
  if (byte < 0xc2) return {};  // a trailing byte, or an overlong form
  if (byte < 0xe0) return {.missing = 1};
  if (byte < 0xf0) {
    return {.missing = 2,
            .lowest = static_cast<std::uint8_t>(byte == 0xe0 ? 0xa0 : 0x80),    // overlong
            .highest = static_cast<std::uint8_t>(byte == 0xed ? 0x9f : 0xbf)};  // surrogates
  }
  if (byte < 0xf5) {
    return {.missing = 3,
            .lowest = static_cast<std::uint8_t>(byte == 0xf0 ? 0x90 : 0x80),    // overlong
            .highest = static_cast<std::uint8_t>(byte == 0xf4 ? 0x8f : 0xbf)};  // above U+10FFFF
  }
  return {};
}

}  // namespace

bool Utf8Validator::accept(ByteView piece) noexcept {
  const std::uint8_t* p = piece.data();
  const std::uint8_t* const end = p + piece.size();
  while (p != end) {
    if (missing_ == 0) {
      p = skip_ascii(p, end);
      if (p == end) break;
      const Lead lead = lead_of(*p++);
      if (lead.missing == 0) return false;
      missing_ = lead.missing;
      lowest_ = lead.lowest;
      highest_ = lead.highest;
    } else {
      if (*p < lowest_ || *p > highest_) return false;
      ++p;
      --missing_;
      lowest_ = 0x80;
      highest_ = 0xbf;
    }
  }
  return true;
}

bool is_valid_utf8(ByteView text) noexcept {
  Utf8Validator validator;
  return validator.accept(text) && validator.is_complete();
}

}  // namespace runnel
