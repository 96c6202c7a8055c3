// NAL units of H.264 and H.265: their headers, their RTP payloads (RFC 6184 §5, RFC 7798 §4) and
// the Annex B byte stream.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/base/bytes.h"
#include "core/frames/format.h"

namespace runnel::frames {

//   H.264                H.265                              FU header (third row: after the NAL
//   0 1 2 3 4 5 6 7      0 1 2 3 4 5 6 7 0 1 2 3 4 5 6 7     unit header of one or two bytes)
//  +-+-+-+-+-+-+-+-+    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+    +-+-+-+-+-+-+-+-+
//  |F|NRI|  type   |    |F|   type    |  layer id |TID+1|    |S|E|   type    |
//  +-+-+-+-+-+-+-+-+    +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+    +-+-+-+-+-+-+-+-+

inline constexpr std::uint8_t kFragmentStart = 0x80;
inline constexpr std::uint8_t kFragmentEnd = 0x40;
inline constexpr std::size_t kAggregatedLengthSize = 2;
inline constexpr std::array<std::uint8_t, 4> kStartCode = {0, 0, 0, 1};

/// What differs between the two.
struct NalSyntax {
  std::size_t header_size;
  std::uint8_t aggregation_type;    // STAP-A, AP
  std::uint8_t fragment_type;       // FU-A, FU
  std::uint8_t first_payload_type;  // this and higher types exist in RTP payloads only
  std::uint8_t fragment_type_mask;
  bool h265;

  /// Of a header whose bytes are there.
  [[nodiscard]] std::uint8_t type(ByteView unit) const noexcept {
    return h265 ? (unit[0] >> 1) & 0x3f : unit[0] & 0x1f;
  }
  /// The first byte of a header, with another type in it.
  [[nodiscard]] std::uint8_t with_type(std::uint8_t first, std::uint8_t type) const noexcept {
    return static_cast<std::uint8_t>(h265 ? (first & 0x81) | (type << 1) : (first & 0xe0) | type);
  }
  /// Whether the type carries a slice of a picture.
  [[nodiscard]] bool is_slice(std::uint8_t type) const noexcept {
    return h265 ? type < 32 : type >= 1 && type <= 5;
  }
};

inline constexpr NalSyntax kH264Syntax = {1, 24, 28, 24, 0x1f, false};
inline constexpr NalSyntax kH265Syntax = {2, 48, 49, 48, 0x3f, true};

[[nodiscard]] constexpr const NalSyntax& nal_syntax(Format format) noexcept {
  return format == Format::h265 ? kH265Syntax : kH264Syntax;
}

/// Takes the NAL units of an Annex B byte stream one by one: what lies between start codes of three
/// or four bytes, without trailing zeros. Empty ones are passed over, and so is what comes before
/// the first start code.
class AnnexBReader {
 public:
  explicit AnnexBReader(ByteView stream = {}) noexcept;
  /// nullopt at the end.
  [[nodiscard]] std::optional<ByteView> next() noexcept;

 private:
  ByteView rest_;  // behind a start code
};

/// Takes the NAL units of an aggregation packet one by one.
class AggregateReader {
 public:
  /// `units` begins behind the payload's own NAL unit header.
  explicit AggregateReader(ByteView units) noexcept : rest_(units) {}
  /// nullopt at the end.
  [[nodiscard]] std::optional<ByteView> next() noexcept;
  /// A unit was empty or ended past the payload.
  [[nodiscard]] bool malformed() const noexcept { return malformed_; }

 private:
  ByteView rest_;
  bool malformed_ = false;
};

}  // namespace runnel::frames
