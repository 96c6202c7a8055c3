// Which payload format packets have: what all the other questions of this room depend on.
#pragma once

#include <cstdint>

#include "core/rtp/codec.h"

namespace runnel::frames {

enum class Format : std::uint8_t {
  vp8,   // RFC 7741
  vp9,   // RFC 9628
  h264,  // RFC 6184, without the interleaved mode
  h265,  // RFC 7798, without decoding order numbers
  av1,   // RTP Payload Format For AV1 (AOMedia), version 1.0
  opus,  // RFC 7587
  pcmu,  // RFC 3551 §4.5.14
  pcma,
  g722,  // RFC 3551 §4.5.2
  l16,   // RFC 3551 §4.5.11
  other_audio,
  other_video,
};

/// Compares the encoding name as SDP does, without regard to case. Asked once for a track, not for
/// each packet.
[[nodiscard]] Format format_of(const rtp::Codec& codec) noexcept;

/// Whether frames of the codec can be put together (FrameAssembler) and taken apart
/// (FramePacketizer). H.264 in interleaved mode (packetization-mode=2) and H.265 with
/// sprop-max-don-diff above 0 cannot.
[[nodiscard]] bool supports(const rtp::Codec& codec) noexcept;

[[nodiscard]] constexpr bool is_video(Format format) noexcept {
  return format <= Format::av1 || format == Format::other_video;
}

}  // namespace runnel::frames
