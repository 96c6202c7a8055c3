// AES-CTR with VAES on 256-bit registers: two blocks in each, eight registers side by side. For
// processors that have VAES without AVX-512.
#if defined(__x86_64__)

#include "core/crypto/aes_ctr_kernels.h"
#include "core/crypto/partial_block.h"

#define RUNNEL_VAES_AVX2 "vaes,aes,avx2"

namespace runnel::crypto {
namespace {

constexpr std::size_t kWidth = 32;
constexpr std::size_t kVectorsAtOnce = 8;

RUNNEL_TARGET_INLINE(RUNNEL_VAES_AVX2)
__m256i round_key(const AesKeySchedule& schedule, int round) noexcept {
  return _mm256_broadcastsi128_si256(
      _mm_load_si128(reinterpret_cast<const __m128i*>(schedule.round_keys[round])));
}

RUNNEL_TARGET_INLINE(RUNNEL_VAES_AVX2)
void xor_partial_vector(__m256i keystream, const std::uint8_t* in, std::uint8_t* out,
                        std::size_t size) noexcept {
  __m128i half = _mm256_castsi256_si128(keystream);
  if (size >= 16) {
    const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(in));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm_xor_si128(text, half));
    half = _mm256_extracti128_si256(keystream, 1);
    in += 16;
    out += 16;
    size -= 16;
  }
  xor_partial_block(half, in, out, size);
}

// XORs `size` bytes, of which only the last vector may be partial: (kVectors-1)*32 < size <=
// kVectors*32. `counter` holds two counters with their bytes reversed, where they can be added to.
template <std::size_t kVectors>
RUNNEL_TARGET_INLINE(RUNNEL_VAES_AVX2)
void xor_vectors(const AesKeySchedule& schedule, __m256i& counter, const std::uint8_t* in,
                 std::uint8_t* out, std::size_t size) noexcept {
  const __m256i reverse = _mm256_broadcastsi128_si256(
      _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  const __m256i two = _mm256_set_epi64x(0, 2, 0, 2);
  __m256i blocks[kVectors];
  const __m256i whitening = round_key(schedule, 0);
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kVectors; ++i) {
    blocks[i] = _mm256_xor_si256(_mm256_shuffle_epi8(counter, reverse), whitening);
    counter = _mm256_add_epi64(counter, two);
  }
  for (int round = 1; round < schedule.rounds; ++round) {
    const __m256i key = round_key(schedule, round);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kVectors; ++i) blocks[i] = _mm256_aesenc_epi128(blocks[i], key);
  }
  const __m256i last_key = round_key(schedule, schedule.rounds);
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kVectors; ++i) {
    blocks[i] = _mm256_aesenclast_epi128(blocks[i], last_key);
  }

#pragma GCC unroll 8
  for (std::size_t i = 0; i < kVectors; ++i) {
    const std::uint8_t* from = in + i * kWidth;
    std::uint8_t* to = out + i * kWidth;
    if (i + 1 == kVectors && size % kWidth != 0) {
      xor_partial_vector(blocks[i], from, to, size % kWidth);
    } else {
      const __m256i text = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), _mm256_xor_si256(text, blocks[i]));
    }
  }
}

}  // namespace

RUNNEL_TARGET(RUNNEL_VAES_AVX2)
void aes_ctr_vaes_avx2(const AesCtrKey& key, std::uint64_t high, std::uint64_t low,
                       const std::uint8_t* in, std::uint8_t* out, std::size_t size) noexcept {
  const AesKeySchedule& schedule = key.schedule;
  const __m128i start = _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
  __m256i counter =
      _mm256_add_epi64(_mm256_broadcastsi128_si256(start), _mm256_set_epi64x(0, 1, 0, 0));
  constexpr std::size_t kGroup = kVectorsAtOnce * kWidth;
  for (; size > kGroup; size -= kGroup, in += kGroup, out += kGroup) {
    xor_vectors<kVectorsAtOnce>(schedule, counter, in, out, kGroup);
  }
  switch ((size + kWidth - 1) / kWidth) {
    case 1:
      return xor_vectors<1>(schedule, counter, in, out, size);
    case 2:
      return xor_vectors<2>(schedule, counter, in, out, size);
    case 3:
      return xor_vectors<3>(schedule, counter, in, out, size);
    case 4:
      return xor_vectors<4>(schedule, counter, in, out, size);
    case 5:
      return xor_vectors<5>(schedule, counter, in, out, size);
    case 6:
      return xor_vectors<6>(schedule, counter, in, out, size);
    case 7:
      return xor_vectors<7>(schedule, counter, in, out, size);
    default:
      return xor_vectors<8>(schedule, counter, in, out, size);
  }
}

}  // namespace runnel::crypto

#endif
