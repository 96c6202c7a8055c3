// How large the pictures of a video are, told by the first packet of a key frame.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/bytes.h"
#include "core/frames/format.h"

namespace runnel::frames {

/// In pixels, as shown: after cropping. At least 1 each.
struct PictureSize {
  std::uint32_t width = 0;
  std::uint32_t height = 0;

  friend bool operator==(const PictureSize&, const PictureSize&) = default;
};

/// Of the payload of one packet, without padding: VP8's frame header (RFC 6386 §9.1), VP9's
/// scalability structure (its largest layer) or uncompressed header, the sequence parameter set of
/// H.264 and H.265 (alone, or in an aggregation packet), AV1's sequence header. nullopt when the
/// payload does not hold it or it does not hold together, and for other formats.
[[nodiscard]] std::optional<PictureSize> picture_size(Format format, ByteView payload) noexcept;

}  // namespace runnel::frames
