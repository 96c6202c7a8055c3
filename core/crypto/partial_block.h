// XOR of the first bytes of a vector onto memory, for the end of a message.
#pragma once

#include "core/base/bytes.h"
#include "core/crypto/x86.h"

namespace runnel::crypto {

/// out = in XOR the first `size` bytes of `keystream`, 0 to 15, without touching a byte more.
inline void xor_partial_block(__m128i keystream, const std::uint8_t* in, std::uint8_t* out,
                              std::size_t size) noexcept {
  auto word = static_cast<std::uint64_t>(_mm_cvtsi128_si64(keystream));
  if ((size & 8) != 0) {
    std::uint64_t text;
    std::memcpy(&text, in, 8);
    text ^= word;
    std::memcpy(out, &text, 8);
    in += 8;
    out += 8;
    word = static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(keystream, keystream)));
  }
  if ((size & 4) != 0) {
    std::uint32_t text;
    std::memcpy(&text, in, 4);
    text ^= static_cast<std::uint32_t>(word);
    std::memcpy(out, &text, 4);
    in += 4;
    out += 4;
    word >>= 32;
  }
  for (std::size_t i = 0; i < (size & 3); ++i, word >>= 8) {
    out[i] = static_cast<std::uint8_t>(in[i] ^ (word & 0xff));
  }
}

}  // namespace runnel::crypto
