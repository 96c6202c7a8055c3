// One encoded frame: what a decoder takes in one piece.
#pragma once

#include <cstdint>

#include "core/base/bytes.h"
#include "core/frames/key_frame.h"

namespace runnel::frames {

/// The bytes, by format:
///   VP8, VP9    the bitstream's frame; in VP9 all spatial layers of one picture, one after another
///   H.264/H.265 an access unit as Annex B byte stream: each NAL unit behind 00 00 00 01, parameter
///               sets in band
///   AV1         a temporal unit in the low-overhead format, each OBU with its size, without
///               temporal delimiter
///   audio       the payload of one packet
struct EncodedFrame {
  ByteView bytes = {};  // borrowed; the giver says how long
  /// From the frame's first packets; `role.key_frame` is true for key frames and all audio.
  PacketRole role = {};
  /// Something before this frame was lost or dropped.
  bool discontinuity = false;
  /// Presentation time.
  std::uint64_t timestamp_us = 0;

  [[nodiscard]] bool key_frame() const noexcept { return role.key_frame; }
};

}  // namespace runnel::frames
