// The counters of VP8's payload descriptor: picture id, TL0PICIDX, KEYIDX (RFC 7741 §4.2).
#pragma once

#include <optional>

#include "core/frames/picture_ids.h"

namespace runnel::frames {

/// nullopt when the descriptor is not all there.
[[nodiscard]] std::optional<PictureIds> vp8_picture_ids(ByteView payload) noexcept;

}  // namespace runnel::frames
