// The payload descriptor of VP8 (RFC 7741 §4.2).
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/bytes.h"

namespace runnel::frames {

//   0 1 2 3 4 5 6 7
//  +-+-+-+-+-+-+-+-+
//  |X|R|N|S|R| PID |  required
//  +-+-+-+-+-+-+-+-+
//  |I|L|T|K|  RSV  |  if X
//  +-+-+-+-+-+-+-+-+
//  |M| picture id  |  if I; a second byte of it if M
//  +-+-+-+-+-+-+-+-+
//  |   TL0PICIDX   |  if L
//  +-+-+-+-+-+-+-+-+
//  |TID|Y| KEYIDX  |  if T or K
//  +-+-+-+-+-+-+-+-+

struct Vp8Descriptor {
  bool begins_frame = false;  // S, of partition 0
  bool non_reference = false;
  bool layer_sync = false;
  std::uint8_t temporal_layer = 0;
  ByteView payload;  // what follows; never empty
};

/// nullopt when the descriptor, or anything behind it, is not there.
[[nodiscard]] std::optional<Vp8Descriptor> parse_vp8(ByteView payload) noexcept;

/// Whether the first byte of a frame is that of a key frame (RFC 6386 §9.1: P is inverted).
[[nodiscard]] constexpr bool is_vp8_key_frame(std::uint8_t first) noexcept {
  return (first & 0x01) == 0;
}

inline constexpr std::size_t kVp8DescriptorSize = 4;
/// The descriptor with a 15-bit picture id that FramePacketizer sends.
void write_vp8_descriptor(std::uint8_t* out, bool begins_frame, std::uint16_t picture_id) noexcept;

}  // namespace runnel::frames
