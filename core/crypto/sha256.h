// SHA-256 (FIPS 180-4) of a whole message.
#pragma once

#include <array>
#include <cstdint>

#include "core/base/bytes.h"

namespace runnel::crypto {

inline constexpr std::size_t kSha256DigestSize = 32;

[[nodiscard]] std::array<std::uint8_t, kSha256DigestSize> sha256(ByteView message) noexcept;

}  // namespace runnel::crypto
