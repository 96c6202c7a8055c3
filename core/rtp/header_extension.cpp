#include "core/rtp/header_extension.h"

#include <algorithm>
#include <utility>

namespace runnel::rtp {
namespace {

constexpr std::uint8_t kPaddingId = 0;
constexpr std::uint8_t kOneByteStopId = 15;
constexpr std::uint8_t kMaxOneByteId = 14;
constexpr std::size_t kMaxOneByteLength = 16;
constexpr std::size_t kMaxTwoByteLength = 255;
constexpr std::size_t kMaxExtensionSize = 4 * 0xffff;

bool is_two_byte_profile(std::uint16_t profile) noexcept {
  return (profile & 0xfff0) == kTwoByteExtensionProfile;
}

bool fits_one_byte_form(const ExtensionElement& element) noexcept {
  return element.id <= kMaxOneByteId && !element.data.empty() &&
         element.data.size() <= kMaxOneByteLength;
}

bool can_be_expressed(const ExtensionElement& element) noexcept {
  return element.id != kPaddingId && element.data.size() <= kMaxTwoByteLength;
}

}  // namespace

ExtensionReader::ExtensionReader(std::uint16_t profile, ByteView data) noexcept
    : two_byte_(is_two_byte_profile(profile)) {
  if (two_byte_ || profile == kOneByteExtensionProfile) rest_ = data;
}

std::optional<ExtensionElement> ExtensionReader::next() noexcept {
  while (!rest_.empty() && rest_[0] == kPaddingId) rest_ = rest_.subspan(1);
  if (rest_.empty()) return std::nullopt;
  return two_byte_ ? next_two_byte() : next_one_byte();
}

//   0 1 2 3 4 5 6 7
//  +-+-+-+-+-+-+-+-+
//  |  ID   | len-1 |  data ...
//  +-+-+-+-+-+-+-+-+
std::optional<ExtensionElement> ExtensionReader::next_one_byte() noexcept {
  const auto id = static_cast<std::uint8_t>(rest_[0] >> 4);
  if (id == kPaddingId || id == kOneByteStopId) {
    // Padding that claims a length, and the reserved identifier, end the walk without being errors
    // (RFC 8285 §4.2).
    rest_ = {};
    return std::nullopt;
  }
  return take(id, 1, (rest_[0] & 0x0fu) + 1);
}

//   0                   1
//   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5
//  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//  |      ID       |    length     |  data ...
//  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
std::optional<ExtensionElement> ExtensionReader::next_two_byte() noexcept {
  return take(rest_[0], 2, rest_.size() < 2 ? 0 : rest_[1]);
}

std::optional<ExtensionElement> ExtensionReader::take(std::uint8_t id, std::size_t header_size,
                                                      std::size_t length) noexcept {
  if (header_size + length > rest_.size()) {
    malformed_ = true;
    rest_ = {};
    return std::nullopt;
  }
  const ByteView rest = std::exchange(rest_, rest_.subspan(header_size + length));
  return ExtensionElement{id, rest.subspan(header_size, length)};
}

std::optional<std::uint16_t> write_extension(std::span<const ExtensionElement> elements,
                                             ByteWriter& out) noexcept {
  if (!std::ranges::all_of(elements, can_be_expressed)) return std::nullopt;
  const bool one_byte = std::ranges::all_of(elements, fits_one_byte_form);
  const std::size_t start = out.size();
  for (const auto& [id, data] : elements) {
    const auto length = static_cast<std::uint8_t>(data.size());
    if (one_byte) {
      out.u8(static_cast<std::uint8_t>(id << 4 | (length - 1)));
    } else {
      out.u8(id);
      out.u8(length);
    }
    out.bytes(data);
  }
  const std::size_t unaligned = (out.size() - start) % 4;
  if (unaligned != 0) out.zeros(4 - unaligned);
  if (out.overflowed() || out.size() - start > kMaxExtensionSize) return std::nullopt;
  return one_byte ? kOneByteExtensionProfile : kTwoByteExtensionProfile;
}

}  // namespace runnel::rtp
