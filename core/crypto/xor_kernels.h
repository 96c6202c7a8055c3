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

/// The masking key as it applies from `position` on.
inline std::uint32_t key_at(std::uint32_t key, std::size_t position) noexcept {
  const int bits = static_cast<int>(position % 4 * 8);
  return std::endian::native == std::endian::little ? std::rotr(key, bits) : std::rotl(key, bits);
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

/// How many bytes after `p` the next boundary lies, 1 to `alignment`.
inline std::size_t bytes_to_alignment(const std::uint8_t* p, std::size_t alignment) noexcept {
  return alignment - reinterpret_cast<std::uintptr_t>(p) % alignment;
}

inline std::uint64_t twice(std::uint32_t word) noexcept {
  return word * 0x1'0000'0001ull;
}

/// 0 to 15 bytes.
inline void mask_below_16(std::uint8_t* data, std::size_t size, std::uint32_t key) noexcept {
  if (size >= 8) {
    std::uint8_t* tail = data + size - 8;
    const auto first = load_word<std::uint64_t>(data) ^ twice(key);
    const auto last = load_word<std::uint64_t>(tail) ^ twice(key_at(key, size - 8));
    store_word(data, first);
    store_word(tail, last);
  } else if (size >= 4) {
    std::uint8_t* tail = data + size - 4;
    const auto first = load_word<std::uint32_t>(data) ^ key;
    const auto last = load_word<std::uint32_t>(tail) ^ key_at(key, size - 4);
    store_word(data, first);
    store_word(tail, last);
  } else {
    for (std::size_t i = 0; i < size; ++i, key >>= 8) {
      data[i] = static_cast<std::uint8_t>(data[i] ^ (key & 0xff));
    }
  }
}

#endif

}  // namespace runnel::crypto
