// The counters of VP9's payload descriptor: picture id and, in the non-flexible mode, TL0PICIDX
// (RFC 9628 §4.2). References of the flexible mode (P_DIFF) are distances and stay as they are.
#pragma once

#include <optional>

#include "core/frames/picture_ids.h"

namespace runnel::frames {

/// nullopt when the descriptor is cut short within or before its counters.
[[nodiscard]] std::optional<PictureIds> vp9_picture_ids(ByteView payload) noexcept;

}  // namespace runnel::frames
