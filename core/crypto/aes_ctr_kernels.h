// What the AES-CTR kernels share with their dispatcher; included by aes_ctr*.cpp alone.
#pragma once

#include "core/crypto/aes_ctr.h"
#include "core/crypto/aes_key_schedule.h"
#include "core/crypto/openssl_cipher.h"

namespace runnel::crypto {

/// One key, prepared for the kernel that will use it.
struct AesCtrKey {
  AesKeySchedule schedule;  // of the in-house kernels
  CipherContext ecb;        // of the `openssl` kernel
};

/// Applies the keystream to `size` bytes, at least one. The first counter block comes as two
/// numbers in registers: as 16 bytes in memory, or as a struct, it would be written in halves and
/// read as a whole, which stalls. The dispatcher sees to it that `low` does not overflow within the
/// call, so that kernels count in 64 bits.
using AesCtrFunction = void (*)(const AesCtrKey& key, std::uint64_t high, std::uint64_t low,
                                const std::uint8_t* in, std::uint8_t* out,
                                std::size_t size) noexcept;

[[nodiscard]] CipherContext make_aes_ecb(ByteView key);
void aes_ctr_openssl(const AesCtrKey& key, std::uint64_t high, std::uint64_t low,
                     const std::uint8_t* in, std::uint8_t* out, std::size_t size) noexcept;

#if defined(__x86_64__)
void aes_ctr_aesni(const AesCtrKey& key, std::uint64_t high, std::uint64_t low,
                   const std::uint8_t* in, std::uint8_t* out, std::size_t size) noexcept;
void aes_ctr_vaes_avx2(const AesCtrKey& key, std::uint64_t high, std::uint64_t low,
                       const std::uint8_t* in, std::uint8_t* out, std::size_t size) noexcept;
void aes_ctr_vaes_avx512(const AesCtrKey& key, std::uint64_t high, std::uint64_t low,
                         const std::uint8_t* in, std::uint8_t* out, std::size_t size) noexcept;
#endif

}  // namespace runnel::crypto
