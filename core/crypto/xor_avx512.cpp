// XOR on 512-bit registers.
#if defined(__x86_64__)

#include "core/crypto/x86.h"
#include "core/crypto/xor_kernels.h"

namespace runnel::crypto {
namespace {

constexpr std::size_t kWidth = 64;

RUNNEL_TARGET_INLINE("avx512f") __m512i load(const std::uint8_t* p) noexcept {
  return _mm512_loadu_si512(p);
}
RUNNEL_TARGET_INLINE("avx512f") void store(std::uint8_t* p, __m512i vector) noexcept {
  _mm512_storeu_si512(p, vector);
}
RUNNEL_TARGET_INLINE("avx512f")
__m512i load_xor(const std::uint8_t* a, const std::uint8_t* b) noexcept {
  return _mm512_xor_si512(load(a), load(b));
}

}  // namespace

RUNNEL_TARGET("avx512f")
void xor_avx512(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out,
                std::size_t size) noexcept {
  if (size < kWidth) return xor_avx2(a, b, out, size);
  const __m512i first = load_xor(a, b);
  const __m512i last = load_xor(a + size - kWidth, b + size - kWidth);
  std::size_t i = bytes_to_alignment(out, kWidth);
  for (; i + kWidth <= size; i += kWidth) store(out + i, load_xor(a + i, b + i));
  store(out, first);
  store(out + size - kWidth, last);
}

RUNNEL_TARGET("avx512f")
void mask_avx512(std::uint8_t* data, std::size_t size, std::uint32_t key) noexcept {
  if (size < kWidth) return mask_avx2(data, size, key);
  const std::size_t tail = size - kWidth;
  const __m512i first = _mm512_xor_si512(load(data), _mm512_set1_epi32(static_cast<int>(key)));
  const __m512i last =
      _mm512_xor_si512(load(data + tail), _mm512_set1_epi32(static_cast<int>(key_at(key, tail))));
  std::size_t i = bytes_to_alignment(data, kWidth);
  const __m512i turned = _mm512_set1_epi32(static_cast<int>(key_at(key, i)));
  for (; i + kWidth <= size; i += kWidth) store(data + i, _mm512_xor_si512(load(data + i), turned));
  store(data, first);
  store(data + tail, last);
}

}  // namespace runnel::crypto

#endif
