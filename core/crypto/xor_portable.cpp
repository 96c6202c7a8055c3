// XOR on 64-bit words.
#include "core/crypto/xor_kernels.h"

namespace runnel::crypto {

void xor_portable(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out,
                  std::size_t size) noexcept {
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    store_word(out + i, load_word<std::uint64_t>(a + i) ^ load_word<std::uint64_t>(b + i));
  }
  for (; i < size; ++i) out[i] = a[i] ^ b[i];
}

void mask_portable(std::uint8_t* data, std::size_t size, std::uint32_t key) noexcept {
  std::array<std::uint8_t, 8> mask;
  store_word(mask.data(), key);
  store_word(mask.data() + 4, key);
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8) {
    store_word(data + i,
               load_word<std::uint64_t>(data + i) ^ load_word<std::uint64_t>(mask.data()));
  }
  for (; i < size; ++i) data[i] ^= mask[i % 8];
}

}  // namespace runnel::crypto
