// What the AES-GCM kernels share with their dispatcher; included by aes_gcm*.cpp alone.
#pragma once

#include "core/crypto/aes_gcm.h"
#include "core/crypto/aes_key_schedule.h"
#include "core/crypto/openssl_cipher.h"

namespace runnel::crypto {

/// The longest run of blocks that the in-house kernel hashes before it reduces: a group of 32, and
/// the block of the two lengths.
inline constexpr std::size_t kGhashPowers = 33;

/// One key, prepared for the kernel that will use it.
struct AesGcmKey {
  AesKeySchedule schedule;  // of the in-house kernel
  /// The hash key's powers from the highest to the first, then zeros for vectors that reach beyond.
  alignas(64) std::uint8_t powers[kGhashPowers + 3][16];
  CipherContext context;  // of the `openssl` kernel
};

using GcmSealFunction = void (*)(const AesGcmKey& key, const GcmSealJob& job) noexcept;
/// Answers whether the tag is right.
using GcmOpenFunction = bool (*)(const AesGcmKey& key, const GcmOpenJob& job) noexcept;

[[nodiscard]] CipherContext make_aes_gcm(ByteView key);
void gcm_seal_openssl(const AesGcmKey& key, const GcmSealJob& job) noexcept;
bool gcm_open_openssl(const AesGcmKey& key, const GcmOpenJob& job) noexcept;

#if defined(__x86_64__)
void prepare_gcm_vaes_avx512(ByteView key, AesGcmKey& prepared) noexcept;
void gcm_seal_vaes_avx512(const AesGcmKey& key, const GcmSealJob& job) noexcept;
bool gcm_open_vaes_avx512(const AesGcmKey& key, const GcmOpenJob& job) noexcept;
#endif

}  // namespace runnel::crypto
