// GHASH (NIST SP 800-38D §6.4) on four blocks at once.
//
// Blocks and hash key are kept with their bytes reversed, and the hash key multiplied by x once
// more. Then GHASH becomes POLYVAL (RFC 8452 appendix A), whose products need no shift: the product
// of two elements is their carry-less product divided by x^128, in the field of x^128 + x^127 +
// x^126 + x^121 + 1.
#pragma once

#if defined(__x86_64__)

#include "core/crypto/x86.h"

#define RUNNEL_VAES_GCM "vaes,vpclmulqdq,aes,pclmul,avx2,avx512f,avx512bw,avx512dq,avx512vl"

namespace runnel::crypto::ghash {

RUNNEL_TARGET_INLINE(RUNNEL_VAES_GCM) __m512i reverse_bytes(__m512i blocks) noexcept {
  return _mm512_shuffle_epi8(blocks, _mm512_broadcast_i32x4(_mm_set_epi8(
                                         0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)));
}
RUNNEL_TARGET_INLINE(RUNNEL_VAES_GCM) __m128i reverse_bytes(__m128i block) noexcept {
  return _mm_shuffle_epi8(block,
                          _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
}

/// A sum of products, not yet reduced: low + middle * x^64 + high * x^128 in each quarter.
struct Sum {
  __m512i low, middle, high;
};

RUNNEL_TARGET_INLINE(RUNNEL_VAES_GCM) Sum product(__m512i a, __m512i b) noexcept {
  return {
      _mm512_clmulepi64_epi128(a, b, 0x00),
      _mm512_xor_si512(_mm512_clmulepi64_epi128(a, b, 0x01), _mm512_clmulepi64_epi128(a, b, 0x10)),
      _mm512_clmulepi64_epi128(a, b, 0x11)};
}

RUNNEL_TARGET_INLINE(RUNNEL_VAES_GCM) void add(Sum& sum, __m512i a, __m512i b) noexcept {
  sum.low = _mm512_xor_si512(sum.low, _mm512_clmulepi64_epi128(a, b, 0x00));
  sum.middle = _mm512_ternarylogic_epi64(sum.middle, _mm512_clmulepi64_epi128(a, b, 0x01),
                                         _mm512_clmulepi64_epi128(a, b, 0x10), 0x96);
  sum.high = _mm512_xor_si512(sum.high, _mm512_clmulepi64_epi128(a, b, 0x11));
}

/// The sum of the four quarters.
RUNNEL_TARGET_INLINE(RUNNEL_VAES_GCM) __m128i add_quarters(__m512i v) noexcept {
  const __m256i halves =
      _mm256_xor_si256(_mm512_castsi512_si256(v), _mm512_extracti64x4_epi64(v, 1));
  return _mm_xor_si128(_mm256_castsi256_si128(halves), _mm256_extracti128_si256(halves, 1));
}

/// The one element that the sum stands for: divided by x^128, in two steps of x^64.
RUNNEL_TARGET_INLINE(RUNNEL_VAES_GCM) __m128i reduce(const Sum& sum) noexcept {
  const __m128i middle = add_quarters(sum.middle);
  const __m128i low = _mm_xor_si128(add_quarters(sum.low), _mm_bslli_si128(middle, 8));
  const __m128i high = _mm_xor_si128(add_quarters(sum.high), _mm_bsrli_si128(middle, 8));
  const __m128i polynomial = _mm_set_epi64x(0, static_cast<long long>(0xc200000000000000));
  const __m128i once =
      _mm_xor_si128(_mm_shuffle_epi32(low, 0x4e), _mm_clmulepi64_si128(low, polynomial, 0x00));
  const __m128i twice =
      _mm_xor_si128(_mm_shuffle_epi32(once, 0x4e), _mm_clmulepi64_si128(once, polynomial, 0x00));
  return _mm_xor_si128(high, twice);
}

/// The product of two elements.
RUNNEL_TARGET_INLINE(RUNNEL_VAES_GCM) __m128i multiply(__m128i a, __m128i b) noexcept {
  return reduce(product(_mm512_zextsi128_si512(a), _mm512_zextsi128_si512(b)));
}

/// Times x.
RUNNEL_TARGET_INLINE(RUNNEL_VAES_GCM) __m128i multiply_by_x(__m128i a) noexcept {
  const __m128i carries = _mm_srli_epi64(a, 63);
  const __m128i shifted = _mm_or_si128(_mm_slli_epi64(a, 1), _mm_bslli_si128(carries, 8));
  const __m128i polynomial = _mm_set_epi64x(static_cast<long long>(0xc200000000000000), 1);
  const __m128i overflow = _mm_sub_epi64(_mm_setzero_si128(), _mm_unpackhi_epi64(carries, carries));
  return _mm_xor_si128(shifted, _mm_and_si128(polynomial, overflow));
}

}  // namespace runnel::crypto::ghash

#endif
