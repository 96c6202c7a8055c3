// The payload descriptor of VP9 (RFC 9628 §4.2).
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/bytes.h"

namespace runnel::frames {

//   0 1 2 3 4 5 6 7
//  +-+-+-+-+-+-+-+-+
//  |I|P|L|F|B|E|V|Z|  required
//  +-+-+-+-+-+-+-+-+
//  |M| picture id  |  if I; a second byte of it if M
//  +-+-+-+-+-+-+-+-+
//  | TID |U| SID |D|  if L
//  +-+-+-+-+-+-+-+-+
//  |   TL0PICIDX   |  if L and not F
//  +-+-+-+-+-+-+-+-+
//  |   P_DIFF    |N|  if P and F; another one if N, up to three
//  +-+-+-+-+-+-+-+-+
//  | scalability   |  if V
//  |  structure ...|

struct Vp9Descriptor {
  bool begins_picture = false;  // B, of the lowest spatial layer
  bool has_picture_id = false;
  bool predicted = false;  // P: from earlier pictures
  bool switching_up = false;
  std::uint8_t temporal_layer = 0;
  ByteView payload;  // what follows; never empty
};

/// nullopt when the descriptor does not hold together, or nothing is behind it.
[[nodiscard]] std::optional<Vp9Descriptor> parse_vp9(ByteView payload) noexcept;

/// Whether the first byte of a frame is that of a key frame (VP9 specification §6.2: frame_marker,
/// profile, show_existing_frame, frame_type).
[[nodiscard]] bool is_vp9_key_frame(std::uint8_t first) noexcept;

inline constexpr std::size_t kVp9DescriptorSize = 3;
struct Vp9Fragment {
  bool begins_frame = false;
  bool ends_frame = false;
  bool key_frame = false;
};
/// The non-flexible descriptor with a 15-bit picture id that FramePacketizer sends.
void write_vp9_descriptor(std::uint8_t* out, Vp9Fragment fragment,
                          std::uint16_t picture_id) noexcept;

}  // namespace runnel::frames
