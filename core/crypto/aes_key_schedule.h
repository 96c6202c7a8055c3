// The round keys of one AES key (FIPS 197 §5.2), as the x86-64 kernels read them.
#pragma once

#include <cstdint>

#include "core/base/bytes.h"

namespace runnel::crypto {

/// Move it only together with its owner, and wipe it there.
struct alignas(64) AesKeySchedule {
  std::uint8_t round_keys[15][16];
  int rounds;  // 10 or 14; there is one round key more
};

/// `key` has 16 or 32 bytes. The processor must have AES-NI, which makes this constant-time too.
void expand_aes_key(ByteView key, AesKeySchedule& schedule) noexcept;

}  // namespace runnel::crypto
