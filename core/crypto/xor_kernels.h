// What the XOR kernels share with their dispatcher; included by xor*.cpp alone.
//
// Every vector kernel has the same shape. The first and the last vector may overlap what lies
// between them, so they are loaded before the first store (in place they would else be applied
// twice) and stored at the end; the loop between them stores to aligned addresses. That needs no
// masked store, over which later loads would stumble.
#pragma once

#include <bit>

#include "core/crypto/xor.h"

namespace runnel::crypto {

using XorFunction = void (*)(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out,
                             std::size_t size) noexcept;
/// `key` holds the masking key's bytes as they lie in memory, beginning with data[0]'s.
using MaskFunction = void (*)(std::uint8_t* data, std::size_t size, std::uint32_t key) noexcept;

void xor_portable(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out,
                  std::size_t size) noexcept;
void mask_portable(std::uint8_t* data, std::size_t size, std::uint32_t key) noexcept;

#if defined(__x86_64__)

void xor_sse2(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out,
              std::size_t size) noexcept;
void mask_sse2(std::uint8_t* data, std::size_t size, std::uint32_t key) noexcept;
void xor_avx2(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out,
              std::size_t size) noexcept;
void mask_avx2(std::uint8_t* data, std::size_t size, std::uint32_t key) noexcept;
void xor_avx512(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out,
                std::size_t size) noexcept;
void mask_avx512(std::uint8_t* data, std::size_t size, std::uint32_t key) noexcept;

/// The masking key as it applies from `position` on.
inline std::uint32_t key_at(std::uint32_t key, std::size_t position) noexcept {
  static_assert(std::endian::native == std::endian::little);
  return std::rotr(key, static_cast<int>(position % 4 * 8));
}

/// How many bytes after `p` the next boundary lies, 1 to `alignment`.
inline std::size_t bytes_to_alignment(const std::uint8_t* p, std::size_t alignment) noexcept {
  return alignment - reinterpret_cast<std::uintptr_t>(p) % alignment;
}

#endif

/// Loads and stores of words in the machine's order, at any address.
template <typename Word>
inline Word load_word(const std::uint8_t* p) noexcept {
  Word word;
  std::memcpy(&word, p, sizeof word);
  return word;
}
template <typename Word>
inline void store_word(std::uint8_t* p, Word word) noexcept {
  std::memcpy(p, &word, sizeof word);
}

/// 0 to 15 bytes.
inline void xor_below_16(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out,
                         std::size_t size) noexcept {
  if (size >= 8) {
    const auto first = load_word<std::uint64_t>(a) ^ load_word<std::uint64_t>(b);
    const auto last =
        load_word<std::uint64_t>(a + size - 8) ^ load_word<std::uint64_t>(b + size - 8);
    store_word(out, first);
    store_word(out + size - 8, last);
  } else if (size >= 4) {
    const auto first = load_word<std::uint32_t>(a) ^ load_word<std::uint32_t>(b);
    const auto last =
        load_word<std::uint32_t>(a + size - 4) ^ load_word<std::uint32_t>(b + size - 4);
    store_word(out, first);
    store_word(out + size - 4, last);
  } else {
    for (std::size_t i = 0; i < size; ++i) out[i] = a[i] ^ b[i];
  }
}

/// 0 to 15 bytes.
inline void mask_below_16(std::uint8_t* data, std::size_t size, std::uint32_t key) noexcept {
  std::array<std::uint8_t, 16> mask;
  for (std::size_t i = 0; i < mask.size(); i += 4) store_word(mask.data() + i, key);
  xor_below_16(data, mask.data(), data, size);
}

}  // namespace runnel::crypto
