// XOR on 256-bit registers.
#if defined(__x86_64__)

#include "core/crypto/x86.h"
#include "core/crypto/xor_kernels.h"

namespace runnel::crypto {
namespace {

constexpr std::size_t kWidth = 32;

RUNNEL_TARGET_INLINE("avx2") __m256i load(const std::uint8_t* p) noexcept {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p));
}
RUNNEL_TARGET_INLINE("avx2") void store(std::uint8_t* p, __m256i vector) noexcept {
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), vector);
}
RUNNEL_TARGET_INLINE("avx2")
__m256i load_xor(const std::uint8_t* a, const std::uint8_t* b) noexcept {
  return _mm256_xor_si256(load(a), load(b));
}

}  // namespace

RUNNEL_TARGET("avx2")
void xor_avx2(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out,
              std::size_t size) noexcept {
  if (size < kWidth) return xor_sse2(a, b, out, size);
  const __m256i first = load_xor(a, b);
  const __m256i last = load_xor(a + size - kWidth, b + size - kWidth);
  std::size_t i = bytes_to_alignment(out, kWidth);
  for (; i + kWidth <= size; i += kWidth) store(out + i, load_xor(a + i, b + i));
  store(out, first);
  store(out + size - kWidth, last);
}

RUNNEL_TARGET("avx2")
void mask_avx2(std::uint8_t* data, std::size_t size, std::uint32_t key) noexcept {
  if (size < kWidth) return mask_sse2(data, size, key);
  const std::size_t tail = size - kWidth;
  const __m256i first = _mm256_xor_si256(load(data), _mm256_set1_epi32(static_cast<int>(key)));
  const __m256i last =
      _mm256_xor_si256(load(data + tail), _mm256_set1_epi32(static_cast<int>(key_at(key, tail))));
  std::size_t i = bytes_to_alignment(data, kWidth);
  const __m256i turned = _mm256_set1_epi32(static_cast<int>(key_at(key, i)));
  for (; i + kWidth <= size; i += kWidth) store(data + i, _mm256_xor_si256(load(data + i), turned));
  store(data, first);
  store(data + tail, last);
}

}  // namespace runnel::crypto

#endif
