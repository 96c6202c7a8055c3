// AES-GCM with VAES and VPCLMULQDQ on 512-bit registers. Text passes once: encrypted in groups of
// eight vectors (32 blocks), hashed by the powers of the hash key in the same breath, and reduced
// once per group. The processor overlaps one group's hash with the next one's encryption.
#if defined(__x86_64__)

#include "core/crypto/aes_gcm_kernels.h"
#include "core/crypto/constant_time.h"
#include "core/crypto/ghash_avx512.h"

namespace runnel::crypto {
namespace {

constexpr std::size_t kWidth = 64;
constexpr std::size_t kBlockSize = 16;
constexpr std::size_t kBlocksPerVector = kWidth / kBlockSize;
constexpr __mmask64 kAllBytes = ~__mmask64{0};

// Which side of the cipher is hashed: always the ciphertext.
enum class Hashed : std::uint64_t { output = 0, input = kAllBytes };

template <int kRounds>
struct RoundKeys {
  __m512i keys[kRounds + 1];
};

template <int kRounds>
RUNNEL_TARGET_INLINE(RUNNEL_VAES_GCM)
void load_round_keys(const AesKeySchedule& schedule, RoundKeys<kRounds>& round_keys) noexcept {
#pragma GCC unroll 15
  for (int i = 0; i <= kRounds; ++i) {
    round_keys.keys[i] = _mm512_broadcast_i32x4(
        _mm_load_si128(reinterpret_cast<const __m128i*>(schedule.round_keys[i])));
  }
}

// Powers `highest` down to `highest` - 3 of the hash key, zeros below the first.
RUNNEL_TARGET_INLINE(RUNNEL_VAES_GCM)
__m512i powers_from(const AesGcmKey& key, std::size_t highest) noexcept {
  return _mm512_loadu_si512(key.powers[kGhashPowers - highest]);
}

// What one message carries from group to group.
struct Progress {
  __m512i counter;  // four counter blocks, bytes reversed
  __m128i hash;     // reduced
};

// Encrypts `kVectors` vectors, the last of them only where `last_bytes` says so, and sums up their
// hash, in which the first block is multiplied by power `highest_power`.
template <int kRounds, std::size_t kVectors>
RUNNEL_TARGET_INLINE(RUNNEL_VAES_GCM)
ghash::Sum
    process_vectors(const AesGcmKey& key, const RoundKeys<kRounds>& round_keys, Progress& progress,
                    const std::uint8_t* in, std::uint8_t* out, __mmask64 last_bytes,
                    std::size_t highest_power, Hashed hashed) noexcept {
  const __m512i four = _mm512_broadcast_i32x4(_mm_set_epi32(0, 0, 0, 4));
  __m512i blocks[kVectors];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kVectors; ++i) {
    blocks[i] = _mm512_xor_si512(ghash::reverse_bytes(progress.counter), round_keys.keys[0]);
    progress.counter = _mm512_add_epi32(progress.counter, four);
  }
#pragma GCC unroll 14
  for (int round = 1; round < kRounds; ++round) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kVectors; ++i) {
      blocks[i] = _mm512_aesenc_epi128(blocks[i], round_keys.keys[round]);
    }
  }
  ghash::Sum sum;
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kVectors; ++i) {
    const __m512i keystream = _mm512_aesenclast_epi128(blocks[i], round_keys.keys[kRounds]);
    const bool is_last = i + 1 == kVectors;
    const __mmask64 bytes = is_last ? last_bytes : kAllBytes;
    const __m512i input = is_last ? _mm512_maskz_loadu_epi8(bytes, in + i * kWidth)
                                  : _mm512_loadu_si512(in + i * kWidth);
    const __m512i output = _mm512_xor_si512(input, keystream);
    if (is_last) {
      _mm512_mask_storeu_epi8(out + i * kWidth, bytes, output);
    } else {
      _mm512_storeu_si512(out + i * kWidth, output);
    }
    const __m512i ciphertext = _mm512_mask_mov_epi8(output, static_cast<__mmask64>(hashed), input);
    __m512i element =
        ghash::reverse_bytes(is_last ? _mm512_maskz_mov_epi8(bytes, ciphertext) : ciphertext);
    const __m512i powers = powers_from(key, highest_power - i * kBlocksPerVector);
    if (i == 0) {
      element = _mm512_xor_si512(element, _mm512_zextsi128_si512(progress.hash));
      sum = ghash::product(element, powers);
    } else {
      ghash::add(sum, element, powers);
    }
  }
  return sum;
}

RUNNEL_TARGET_INLINE(RUNNEL_VAES_GCM)
__m128i hash_associated_data(const AesGcmKey& key, ByteView data) noexcept {
  __m128i hash = _mm_setzero_si128();
  while (!data.empty()) {
    const std::size_t size = data.size() < kWidth ? data.size() : kWidth;
    const std::size_t blocks = (size + kBlockSize - 1) / kBlockSize;
    const __m512i bytes = _mm512_maskz_loadu_epi8(kAllBytes >> (kWidth - size), data.data());
    const __m512i element =
        _mm512_xor_si512(ghash::reverse_bytes(bytes), _mm512_zextsi128_si512(hash));
    hash = ghash::reduce(ghash::product(element, powers_from(key, blocks)));
    data = data.subspan(size);
  }
  return hash;
}

template <int kRounds>
RUNNEL_TARGET_INLINE(RUNNEL_VAES_GCM)
__m128i encrypt_block(const AesKeySchedule& schedule, __m128i block) noexcept {
  const auto key = [](const AesKeySchedule& s, int round) noexcept {
    return reinterpret_cast<const __m128i*>(s.round_keys[round]);
  };
  block = _mm_xor_si128(block, _mm_load_si128(key(schedule, 0)));
#pragma GCC unroll 14
  for (int round = 1; round < kRounds; ++round) {
    block = _mm_aesenc_si128(block, _mm_load_si128(key(schedule, round)));
  }
  return _mm_aesenclast_si128(block, _mm_load_si128(key(schedule, kRounds)));
}

// Everything but the comparison of the tag, which is what it answers.
template <int kRounds>
RUNNEL_TARGET(RUNNEL_VAES_GCM)
[[gnu::noinline]] __m128i process(const AesGcmKey& key, const GcmIv& iv, ByteView associated_data,
                                  ByteView text, std::uint8_t* out, Hashed hashed) noexcept {
  // The block before the first counter (J0), bytes reversed: the IV and a counter of 1. Put
  // together in registers, see aes_ctr_kernels.h.
  std::uint64_t iv_high;
  std::uint32_t iv_low;
  std::memcpy(&iv_high, iv.data(), sizeof iv_high);
  std::memcpy(&iv_low, iv.data() + sizeof iv_high, sizeof iv_low);
  const std::uint64_t low = (std::uint64_t{__builtin_bswap32(iv_low)} << 32) | 1;
  const __m128i before = _mm_set_epi64x(static_cast<long long>(__builtin_bswap64(iv_high)),
                                        static_cast<long long>(low));

  RoundKeys<kRounds> round_keys;
  load_round_keys(key.schedule, round_keys);
  const __m128i tag_mask = encrypt_block<kRounds>(key.schedule, ghash::reverse_bytes(before));
  Progress progress;
  progress.counter =
      _mm512_add_epi32(_mm512_broadcast_i32x4(before),
                       _mm512_set_epi32(0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1));
  progress.hash = hash_associated_data(key, associated_data);

  const std::uint8_t* in = text.data();
  std::size_t size = text.size();
  constexpr std::size_t kLarge = 8 * kWidth;
  constexpr std::size_t kSmall = 4 * kWidth;
  for (; size > kLarge; size -= kLarge, in += kLarge, out += kLarge) {
    progress.hash = ghash::reduce(process_vectors<kRounds, 8>(
        key, round_keys, progress, in, out, kAllBytes, kLarge / kBlockSize, hashed));
  }
  if (size > kSmall) {
    progress.hash = ghash::reduce(process_vectors<kRounds, 4>(
        key, round_keys, progress, in, out, kAllBytes, kSmall / kBlockSize, hashed));
    size -= kSmall;
    in += kSmall;
    out += kSmall;
  }

  // The rest shares its reduction with the block of the two lengths, and so needs one power more
  // than it has blocks.
  const std::size_t vectors = (size + kWidth - 1) / kWidth;
  const __mmask64 last_bytes = kAllBytes >> (vectors * kWidth - size);
  const std::size_t highest = (size + kBlockSize - 1) / kBlockSize + 1;
  const __m128i lengths = _mm_set_epi64x(static_cast<long long>(associated_data.size() * 8),
                                         static_cast<long long>(text.size() * 8));
  const __m512i last_element = _mm512_zextsi128_si512(lengths);
  ghash::Sum sum;
  switch (vectors) {
    case 0:
      sum = ghash::product(_mm512_zextsi128_si512(progress.hash), powers_from(key, highest));
      break;
    case 1:
      sum = process_vectors<kRounds, 1>(key, round_keys, progress, in, out, last_bytes, highest,
                                        hashed);
      break;
    case 2:
      sum = process_vectors<kRounds, 2>(key, round_keys, progress, in, out, last_bytes, highest,
                                        hashed);
      break;
    case 3:
      sum = process_vectors<kRounds, 3>(key, round_keys, progress, in, out, last_bytes, highest,
                                        hashed);
      break;
    default:
      sum = process_vectors<kRounds, 4>(key, round_keys, progress, in, out, last_bytes, highest,
                                        hashed);
      break;
  }
  ghash::add(sum, last_element, powers_from(key, 1));
  return _mm_xor_si128(ghash::reverse_bytes(ghash::reduce(sum)), tag_mask);
}

}  // namespace

RUNNEL_TARGET(RUNNEL_VAES_GCM)
void prepare_gcm_vaes_avx512(ByteView key, AesGcmKey& prepared) noexcept {
  expand_aes_key(key, prepared.schedule);
  const __m128i zero = _mm_setzero_si128();
  const __m128i hash_key = prepared.schedule.rounds == 10
                               ? encrypt_block<10>(prepared.schedule, zero)
                               : encrypt_block<14>(prepared.schedule, zero);
  const __m128i first = ghash::multiply_by_x(ghash::reverse_bytes(hash_key));
  __m128i power = first;
  for (std::size_t i = 1; i <= kGhashPowers; ++i) {
    _mm_store_si128(reinterpret_cast<__m128i*>(prepared.powers[kGhashPowers - i]), power);
    power = ghash::multiply(power, first);
  }
}

RUNNEL_TARGET(RUNNEL_VAES_GCM)
void gcm_seal_vaes_avx512(const AesGcmKey& key, const GcmSealJob& job) noexcept {
  const auto seal = key.schedule.rounds == 10 ? process<10> : process<14>;
  const __m128i tag =
      seal(key, job.iv, job.associated_data, job.plaintext, job.ciphertext, Hashed::output);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(job.tag), tag);
}

RUNNEL_TARGET(RUNNEL_VAES_GCM)
bool gcm_open_vaes_avx512(const AesGcmKey& key, const GcmOpenJob& job) noexcept {
  const auto open = key.schedule.rounds == 10 ? process<10> : process<14>;
  const __m128i expected = _mm_loadu_si128(reinterpret_cast<const __m128i*>(job.tag));
  const __m128i tag =
      open(key, job.iv, job.associated_data, job.ciphertext, job.plaintext, Hashed::input);
  const __m128i difference = _mm_xor_si128(tag, expected);
  return _mm_testz_si128(difference, difference) != 0;
}

}  // namespace runnel::crypto

#endif
