// SHA-1 (FIPS 180-4) started from a given state, which OpenSSL's EVP interface cannot do.
#pragma once

#include <array>
#include <cstdint>

#include "core/base/bytes.h"

namespace runnel::crypto {

using Sha1State = std::array<std::uint32_t, 5>;
inline constexpr Sha1State kSha1InitialState{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476,
                                             0xc3d2e1f0};
inline constexpr std::size_t kSha1BlockSize = 64;
using Sha1Block = std::array<std::uint8_t, kSha1BlockSize>;

/// The state after one more block.
[[nodiscard]] Sha1State sha1_compress(const Sha1State& state, const Sha1Block& block) noexcept;

/// The digest of a message whose first `blocks_before` blocks led to `state` and which ends with
/// `rest`.
void sha1_finish(const Sha1State& state, std::uint32_t blocks_before, ByteView rest,
                 std::uint8_t* digest) noexcept;

}  // namespace runnel::crypto
