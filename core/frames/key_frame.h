// What one RTP payload tells about the frame that it belongs to: whether it begins one, whether
// that is a key frame, and who can do without it.
#pragma once

#include <cstdint>

#include "core/base/bytes.h"
#include "core/frames/format.h"

namespace runnel::frames {

/// Whether the payload is the first of its frame.
enum class FrameStart : std::uint8_t {
  no,        // a continuation, or not understood
  possible,  // nothing speaks against it; the formats without a bit for this are told by timestamp
  certain,   // nothing that a decoder needs can come before it
};

/// From which temporal layers on decoding may go on although earlier frames of theirs are missing.
enum class LayerSwitch : std::uint8_t {
  none,
  own_layer,       // this frame needs no earlier frame of its own layer (VP8 Y, H.265 STSA)
  own_and_higher,  // neither this nor later frames need earlier ones of its layer or above (TSA)
  higher,          // later frames of higher layers need none before this frame (VP9 U)
};

struct PacketRole {
  FrameStart start = FrameStart::no;
  /// The payload begins a key frame. In H.264 and H.265: it has a parameter set that begins a
  /// sequence, or the first slice of an IDR picture (H.265: of any IRAP picture); several packets
  /// of one frame may say so. Never set without `start`.
  bool key_frame = false;
  /// No other frame of its temporal layer or a lower one needs this one (VP8's N, nal_ref_idc 0 of
  /// an H.264 slice, a sub-layer non-reference picture of H.265).
  bool discardable = false;
  /// 0 for the base layer and where the payload does not tell. AV1 tells its layers' dependencies
  /// only in a header extension, so all its frames are taken for base layer.
  std::uint8_t temporal_layer = 0;
  LayerSwitch layer_switch = LayerSwitch::none;

  friend bool operator==(const PacketRole&, const PacketRole&) = default;
};

/// Looks at the payload of one packet, without padding. Never fails: what is malformed or of an
/// unknown video format begins nothing. Each audio packet begins a key frame.
[[nodiscard]] PacketRole packet_role(Format format, ByteView payload) noexcept;

[[nodiscard]] inline bool begins_frame(Format format, ByteView payload) noexcept {
  return packet_role(format, payload).start != FrameStart::no;
}
[[nodiscard]] inline bool begins_key_frame(Format format, ByteView payload) noexcept {
  return packet_role(format, payload).key_frame;
}

}  // namespace runnel::frames
