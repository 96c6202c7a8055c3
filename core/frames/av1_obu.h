// AV1's open bitstream units and the aggregation header of their RTP payloads (AV1 specification
// §5.3; RTP Payload Format For AV1 §4.4).
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/bytes.h"

namespace runnel::frames {

//   OBU header              extension          aggregation header
//   0 1 2 3 4 5 6 7         0 1 2 3 4 5 6 7    0 1 2 3 4 5 6 7
//  +-+-+-+-+-+-+-+-+       +-+-+-+-+-+-+-+-+  +-+-+-+-+-+-+-+-+
//  |F| type  |X|S|-|       | TID |SID| -   |  |Z|Y| W |N|- - -|
//  +-+-+-+-+-+-+-+-+       +-+-+-+-+-+-+-+-+  +-+-+-+-+-+-+-+-+

enum class ObuType : std::uint8_t {
  sequence_header = 1,
  temporal_delimiter = 2,
  frame_header = 3,
  frame = 6,
  tile_list = 8,
};

inline constexpr std::uint8_t kObuHasExtension = 0x04;
inline constexpr std::uint8_t kObuHasSize = 0x02;

inline constexpr std::uint8_t kAggregationContinues = 0x80;    // Z: begins with the rest of an OBU
inline constexpr std::uint8_t kAggregationUnfinished = 0x40;   // Y: ends within an OBU
inline constexpr std::uint8_t kAggregationNewSequence = 0x08;  // N

[[nodiscard]] constexpr ObuType obu_type(std::uint8_t header) noexcept {
  return static_cast<ObuType>((header >> 3) & 0x0f);
}
/// Temporal delimiters and tile lists are neither sent nor, when received, passed on (RTP §5).
[[nodiscard]] constexpr bool travels(ObuType type) noexcept {
  return type != ObuType::temporal_delimiter && type != ObuType::tile_list;
}

/// leb128 (§4.10.5): seven bits in each byte, the lowest first.
struct Leb128 {
  std::uint32_t value = 0;
  std::size_t size = 0;  // bytes that it took
};
/// nullopt when it does not end within the bytes, within eight, or is above 2^32 - 1.
[[nodiscard]] std::optional<Leb128> read_leb128(ByteView bytes) noexcept;
[[nodiscard]] std::size_t leb128_size(std::uint32_t value) noexcept;
/// Writes the shortest form and answers its size; at most 5 bytes, which must be there.
std::size_t write_leb128(std::uint8_t* out, std::uint32_t value) noexcept;

/// One OBU as it is sent: its size field left out, and its header saying so.
struct Obu {
  std::uint8_t header[2] = {};
  std::size_t header_size = 0;  // 1 or 2; 0: no OBU
  ByteView payload;

  [[nodiscard]] std::size_t size() const noexcept { return header_size + payload.size(); }
  [[nodiscard]] ObuType type() const noexcept { return obu_type(header[0]); }
  /// Copies as much as `out` takes of what begins at `offset`.
  void copy(std::size_t offset, ByteSpan out) const noexcept;
};

/// Takes the OBUs of a temporal unit in the low-overhead format one by one (§5.2); the last may be
/// without size.
class ObuReader {
 public:
  explicit ObuReader(ByteView bytes = {}) noexcept : rest_(bytes) {}
  [[nodiscard]] bool done() const noexcept { return rest_.empty(); }
  /// nullopt when what is left is no whole OBU.
  [[nodiscard]] std::optional<Obu> next() noexcept;

 private:
  ByteView rest_;
};

/// An OBU element of an RTP payload, of which the end may be missing: without its size field, if it
/// has one, and what lies behind it. nullopt when its header is malformed.
[[nodiscard]] std::optional<Obu> parse_obu_element(ByteView element) noexcept;

/// Whether the OBU begins with a frame header of which something is there.
[[nodiscard]] bool has_frame_header(const Obu& obu) noexcept;
/// Whether a frame header's first bytes are those of a key frame that is coded here (§5.9.2, for
/// sequences with reduced_still_picture_header 0).
[[nodiscard]] bool is_key_frame_header(const Obu& obu) noexcept;

/// Takes the OBU elements of one RTP payload apart.
class ObuElementReader {
 public:
  /// `payload` begins with the aggregation header.
  explicit ObuElementReader(ByteView payload) noexcept;

  [[nodiscard]] bool continues() const noexcept { return (header_ & kAggregationContinues) != 0; }
  [[nodiscard]] bool unfinished() const noexcept { return (header_ & kAggregationUnfinished) != 0; }
  [[nodiscard]] bool new_sequence() const noexcept {
    return (header_ & kAggregationNewSequence) != 0;
  }
  [[nodiscard]] bool done() const noexcept { return rest_.empty() || malformed_; }
  /// The bytes of the next element; nullopt when there is none.
  [[nodiscard]] std::optional<ByteView> next() noexcept;
  /// An element ended past the payload, was empty, or there were fewer than W says.
  [[nodiscard]] bool malformed() const noexcept { return malformed_; }

 private:
  std::uint8_t header_ = 0;
  std::uint8_t elements_left_ = 0;  // by W; 0 when each has its length
  bool malformed_ = false;
  ByteView rest_;
};

}  // namespace runnel::frames
