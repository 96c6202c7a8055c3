// The counters of VP8 and VP9 pictures in a packet on its way.
#pragma once

#include "core/frames/format.h"
#include "core/frames/vp8_rewriter.h"
#include "core/frames/vp9_rewriter.h"
#include "core/relay/burst.h"

namespace runnel::relay {

/// Of size 0 for other formats, and for what does not hold together.
[[nodiscard]] inline frames::PictureIds picture_ids_of(frames::Format format,
                                                       const ClearPacket& packet) noexcept {
  const ByteView payload = packet.bytes.subspan(packet.header_size, packet.payload_size);
  constexpr frames::PictureIds kNone;
  if (format == frames::Format::vp8) return frames::vp8_picture_ids(payload).value_or(kNone);
  if (format == frames::Format::vp9) return frames::vp9_picture_ids(payload).value_or(kNone);
  return kNone;
}

}  // namespace runnel::relay
