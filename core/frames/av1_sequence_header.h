// The picture size out of AV1's sequence header (AV1 specification §5.5).
#pragma once

#include <optional>

#include "core/base/bytes.h"
#include "core/frames/picture_size.h"

namespace runnel::frames {

/// `body` follows the OBU header. Answers max_frame_width and max_frame_height, which the frames of
/// real-time senders have; nullopt when it does not hold together.
[[nodiscard]] std::optional<PictureSize> av1_picture_size(ByteView body) noexcept;

}  // namespace runnel::frames
