// The picture size out of the sequence parameter sets of H.264 and H.265 (ITU-T H.264 §7.3.2.1.1,
// H.265 §7.3.2.2).
#pragma once

#include <optional>

#include "core/base/bytes.h"
#include "core/frames/picture_size.h"

namespace runnel::frames {

/// `body` follows the NAL unit header. nullopt when it does not hold together.
[[nodiscard]] std::optional<PictureSize> h264_picture_size(ByteView body) noexcept;
[[nodiscard]] std::optional<PictureSize> h265_picture_size(ByteView body) noexcept;

}  // namespace runnel::frames
