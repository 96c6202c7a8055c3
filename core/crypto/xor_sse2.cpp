// XOR on 128-bit registers; every x86-64 processor has them.
#if defined(__x86_64__)

#include "core/crypto/x86.h"
#include "core/crypto/xor_kernels.h"

namespace runnel::crypto {
namespace {

constexpr std::size_t kWidth = 16;

RUNNEL_TARGET_INLINE("sse2") __m128i load(const std::uint8_t* p) noexcept {
  return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p));
}
RUNNEL_TARGET_INLINE("sse2") void store(std::uint8_t* p, __m128i vector) noexcept {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(p), vector);
}
RUNNEL_TARGET_INLINE("sse2")
__m128i load_xor(const std::uint8_t* a, const std::uint8_t* b) noexcept {
  return _mm_xor_si128(load(a), load(b));
}

}  // namespace

RUNNEL_TARGET("sse2")
void xor_sse2(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out,
              std::size_t size) noexcept {
  if (size < kWidth) return xor_below_16(a, b, out, size);
  const __m128i first = load_xor(a, b);
  const __m128i last = load_xor(a + size - kWidth, b + size - kWidth);
  std::size_t i = bytes_to_alignment(out, kWidth);
  for (; i + kWidth <= size; i += kWidth) store(out + i, load_xor(a + i, b + i));
  store(out, first);
  store(out + size - kWidth, last);
}

RUNNEL_TARGET("sse2")
void mask_sse2(std::uint8_t* data, std::size_t size, std::uint32_t key) noexcept {
  if (size < kWidth) return mask_below_16(data, size, key);
  const std::size_t tail = size - kWidth;
  const __m128i first = _mm_xor_si128(load(data), _mm_set1_epi32(static_cast<int>(key)));
  const __m128i last =
      _mm_xor_si128(load(data + tail), _mm_set1_epi32(static_cast<int>(key_at(key, tail))));
  std::size_t i = bytes_to_alignment(data, kWidth);
  const __m128i turned = _mm_set1_epi32(static_cast<int>(key_at(key, i)));
  for (; i + kWidth <= size; i += kWidth) store(data + i, _mm_xor_si128(load(data + i), turned));
  store(data, first);
  store(data + tail, last);
}

}  // namespace runnel::crypto

#endif
