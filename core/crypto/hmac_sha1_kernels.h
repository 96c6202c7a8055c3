// What the HMAC-SHA1 kernels share with their dispatcher; included by hmac_sha1*.cpp alone.
//
// HMAC(key, message) = SHA1(outer key block, SHA1(inner key block, message)). Both key blocks are
// hashed once per key, so a message costs its own blocks, the padded end (one block or two) and one
// block of the outer hash. SHA-1 is a serial chain; only several messages at once fill a core.
#pragma once

#include "core/crypto/hmac_sha1.h"
#include "core/crypto/sha1.h"

namespace runnel::crypto {

/// What the inner hash has covered with a message of `size` bytes, in bits: the key block too.
inline std::uint64_t inner_length_in_bits(std::size_t size) noexcept {
  return (std::uint64_t{kSha1BlockSize} + size) * 8;
}
/// The same of the outer hash: a key block and a digest.
inline constexpr std::uint32_t kOuterLengthInBits = (kSha1BlockSize + kSha1DigestSize) * 8;

void hmac_sha1_openssl(std::span<const HmacSha1Job> jobs) noexcept;

#if defined(__x86_64__)
void hmac_sha1_sha_ni(std::span<const HmacSha1Job> jobs) noexcept;
void hmac_sha1_avx512(std::span<const HmacSha1Job> jobs) noexcept;
#endif

}  // namespace runnel::crypto
