// AES-CTR with VAES on 512-bit registers: four blocks in each, eight registers side by side, and
// all round keys in registers as well.
#if defined(__x86_64__)

#include "core/crypto/aes_ctr_kernels.h"
#include "core/crypto/x86.h"

#define RUNNEL_VAES_AVX512 "vaes,aes,avx2,avx512f,avx512bw,avx512dq,avx512vl"

namespace runnel::crypto {
namespace {

constexpr std::size_t kWidth = 64;
constexpr std::size_t kVectorsAtOnce = 8;

template <int kRounds>
struct RoundKeys {
  __m512i keys[kRounds + 1];
};

template <int kRounds>
RUNNEL_TARGET_INLINE(RUNNEL_VAES_AVX512)
void load_round_keys(const AesKeySchedule& schedule, RoundKeys<kRounds>& round_keys) noexcept {
#pragma GCC unroll 15
  for (int i = 0; i <= kRounds; ++i) {
    round_keys.keys[i] = _mm512_broadcast_i32x4(
        _mm_load_si128(reinterpret_cast<const __m128i*>(schedule.round_keys[i])));
  }
}

// XORs `kVectors` vectors, the last of them only where `last_bytes` says so. `counter` holds four
// counters with their bytes reversed, where they can be added to.
template <int kRounds, std::size_t kVectors>
RUNNEL_TARGET_INLINE(RUNNEL_VAES_AVX512)
void xor_vectors(const RoundKeys<kRounds>& round_keys, __m512i& counter, const std::uint8_t* in,
                 std::uint8_t* out, __mmask64 last_bytes) noexcept {
  const __m512i reverse =
      _mm512_broadcast_i32x4(_mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  const __m512i four = _mm512_broadcast_i32x4(_mm_set_epi64x(0, 4));
  __m512i blocks[kVectors];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kVectors; ++i) {
    blocks[i] = _mm512_xor_si512(_mm512_shuffle_epi8(counter, reverse), round_keys.keys[0]);
    counter = _mm512_add_epi64(counter, four);
  }
#pragma GCC unroll 14
  for (int round = 1; round < kRounds; ++round) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kVectors; ++i) {
      blocks[i] = _mm512_aesenc_epi128(blocks[i], round_keys.keys[round]);
    }
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kVectors; ++i) {
    blocks[i] = _mm512_aesenclast_epi128(blocks[i], round_keys.keys[kRounds]);
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i + 1 < kVectors; ++i) {
    const __m512i text = _mm512_loadu_si512(in + i * kWidth);
    _mm512_storeu_si512(out + i * kWidth, _mm512_xor_si512(text, blocks[i]));
  }
  constexpr std::size_t kLast = kVectors - 1;
  const __m512i text = _mm512_maskz_loadu_epi8(last_bytes, in + kLast * kWidth);
  _mm512_mask_storeu_epi8(out + kLast * kWidth, last_bytes, _mm512_xor_si512(text, blocks[kLast]));
}

// Never inlined into one function for both key sizes: the compiler would load the keys that they
// share before it branches, and widen them one by one.
template <int kRounds>
RUNNEL_TARGET(RUNNEL_VAES_AVX512)
[[gnu::noinline]] void apply(const AesKeySchedule& schedule, std::uint64_t high, std::uint64_t low,
                             const std::uint8_t* in, std::uint8_t* out, std::size_t size) noexcept {
  const __m128i start = _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
  __m512i counter =
      _mm512_add_epi64(_mm512_broadcast_i32x4(start), _mm512_set_epi64(0, 3, 0, 2, 0, 1, 0, 0));
  RoundKeys<kRounds> keys;
  load_round_keys(schedule, keys);
  constexpr std::size_t kGroup = kVectorsAtOnce * kWidth;
  constexpr __mmask64 kAllBytes = ~__mmask64{0};
  for (; size > kGroup; size -= kGroup, in += kGroup, out += kGroup) {
    xor_vectors<kRounds, kVectorsAtOnce>(keys, counter, in, out, kAllBytes);
  }
  const std::size_t vectors = (size + kWidth - 1) / kWidth;
  const __mmask64 last_bytes = kAllBytes >> (vectors * kWidth - size);
  switch (vectors) {
    case 1:
      return xor_vectors<kRounds, 1>(keys, counter, in, out, last_bytes);
    case 2:
      return xor_vectors<kRounds, 2>(keys, counter, in, out, last_bytes);
    case 3:
      return xor_vectors<kRounds, 3>(keys, counter, in, out, last_bytes);
    case 4:
      return xor_vectors<kRounds, 4>(keys, counter, in, out, last_bytes);
    case 5:
      return xor_vectors<kRounds, 5>(keys, counter, in, out, last_bytes);
    case 6:
      return xor_vectors<kRounds, 6>(keys, counter, in, out, last_bytes);
    case 7:
      return xor_vectors<kRounds, 7>(keys, counter, in, out, last_bytes);
    default:
      return xor_vectors<kRounds, 8>(keys, counter, in, out, last_bytes);
  }
}

}  // namespace

void aes_ctr_vaes_avx512(const AesCtrKey& key, std::uint64_t high, std::uint64_t low,
                         const std::uint8_t* in, std::uint8_t* out, std::size_t size) noexcept {
  if (key.schedule.rounds == 10) {
    apply<10>(key.schedule, high, low, in, out, size);
  } else {
    apply<14>(key.schedule, high, low, in, out, size);
  }
}

}  // namespace runnel::crypto

#endif
