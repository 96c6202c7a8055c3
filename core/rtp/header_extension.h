// The elements of an RTP header extension in the one-byte and two-byte forms (RFC 8285).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/base/byte_writer.h"
#include "core/base/bytes.h"

namespace runnel::rtp {

inline constexpr std::uint16_t kOneByteExtensionProfile = 0xBEDE;
/// Two-byte form: 0x1000 in the upper 12 bits; the lower four are "appbits".
inline constexpr std::uint16_t kTwoByteExtensionProfile = 0x1000;

struct ExtensionElement {
  std::uint8_t id = 0;
  ByteView data;
};

/// Walks over the elements; stops at the first that does not hold together and says so by
/// `malformed()`.
class ExtensionReader {
 public:
  /// `profile` and `data` as in the packet. An unknown profile has no elements.
  ExtensionReader(std::uint16_t profile, ByteView data) noexcept;

  [[nodiscard]] std::optional<ExtensionElement> next() noexcept;
  [[nodiscard]] bool malformed() const noexcept { return malformed_; }

 private:
  std::optional<ExtensionElement> next_one_byte() noexcept;
  std::optional<ExtensionElement> next_two_byte() noexcept;
  std::optional<ExtensionElement> take(std::uint8_t id, std::size_t header_size,
                                       std::size_t length) noexcept;

  ByteView rest_;
  bool two_byte_;
  bool malformed_ = false;
};

/// Lays out elements; picks the one-byte form when every id is 1 to 14 and every length 1 to 16,
/// else the two-byte form. Answers the profile, and the data padded to a multiple of four through
/// `out`; nullopt when it does not fit or an element cannot be expressed (id 0, length above 255).
[[nodiscard]] std::optional<std::uint16_t> write_extension(
    std::span<const ExtensionElement> elements, ByteWriter& out) noexcept;

}  // namespace runnel::rtp
