// Comparison that takes the same time wherever the difference is.
#pragma once

#include "core/base/bytes.h"

namespace runnel::crypto {

/// Whether both are equal. The lengths are public: different lengths answer false at once.
[[nodiscard]] bool equal_in_constant_time(ByteView a, ByteView b) noexcept;

}  // namespace runnel::crypto
