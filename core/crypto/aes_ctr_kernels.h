// What the AES-CTR kernels share with their dispatcher; included by aes_ctr*.cpp alone.
#pragma once

#include "core/crypto/aes_ctr.h"
#include "core/crypto/openssl_cipher.h"

namespace runnel::crypto {

/// One key, prepared for the kernel that will use it.
struct AesCtrKey {
  CipherContext ecb;  // the `openssl` kernel's
};

using AesCtrFunction = void (*)(const AesCtrKey& key, const CounterBlock& counter, ByteView in,
                                std::uint8_t* out) noexcept;

[[nodiscard]] CipherContext make_aes_ecb(ByteView key);
void aes_ctr_openssl(const AesCtrKey& key, const CounterBlock& counter, ByteView in,
                     std::uint8_t* out) noexcept;

}  // namespace runnel::crypto
