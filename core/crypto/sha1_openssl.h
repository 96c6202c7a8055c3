// OpenSSL's SHA-1 started from a given state, which its EVP interface cannot do.
#pragma once

#include <array>
#include <cstdint>

#include "core/base/bytes.h"

namespace runnel::crypto {

/// The five words of a SHA-1 state (FIPS 180-4 §6.1).
using Sha1State = std::array<std::uint32_t, 5>;
inline constexpr Sha1State kSha1InitialState{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476,
                                             0xc3d2e1f0};
inline constexpr std::size_t kSha1BlockSize = 64;

/// The state after one more block.
[[nodiscard]] Sha1State sha1_compress(
    const Sha1State& state, const std::array<std::uint8_t, kSha1BlockSize>& block) noexcept;

/// The digest of a message of which `blocks_before` blocks already led to `state` and `rest`
/// follows.
void sha1_finish(const Sha1State& state, std::uint32_t blocks_before, ByteView rest,
                 std::uint8_t* digest) noexcept;

}  // namespace runnel::crypto
