// AES-GCM with VAES and VPCLMULQDQ on 512-bit registers, in one pass over the text. Groups of eight
// vectors (32 blocks) are encrypted, and hashed by as many powers of the hash key with one
// reduction. Sealing hashes a group after it has encrypted the next one, opening before it decrypts
// the same: so neither waits for the other, and the processor overlaps them.
#if defined(__x86_64__)

#include "core/crypto/aes_gcm_kernels.h"
#include "core/crypto/constant_time.h"
#include "core/crypto/ghash_avx512.h"

namespace runnel::crypto {
namespace {

constexpr std::size_t kWidth = 64;
constexpr std::size_t kBlockSize = 16;
constexpr std::size_t kBlocksPerVector = kWidth / kBlockSize;
constexpr std::size_t kVectorsAtOnce = 8;
constexpr __mmask64 kAllBytes = ~__mmask64{0};

enum class Direction : std::uint8_t { seal, open };

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
template <int kRounds>
struct Message {
  const AesGcmKey& key;
  RoundKeys<kRounds> round_keys;
  __m512i counter;  // four counter blocks, bytes reversed
  __m128i hash;     // of all that has been reduced
};

template <std::size_t kVectors>
struct Vectors {
  __m512i v[kVectors];
};

// Only the last vector may be partial; its other bytes are zero.
template <std::size_t kVectors>
RUNNEL_TARGET_INLINE(RUNNEL_VAES_GCM)
void load(Vectors<kVectors>& text, const std::uint8_t* from, __mmask64 last_bytes) noexcept {
#pragma GCC unroll 8
  for (std::size_t i = 0; i + 1 < kVectors; ++i) text.v[i] = _mm512_loadu_si512(from + i * kWidth);
  text.v[kVectors - 1] = _mm512_maskz_loadu_epi8(last_bytes, from + (kVectors - 1) * kWidth);
}

template <std::size_t kVectors>
RUNNEL_TARGET_INLINE(RUNNEL_VAES_GCM)
void store(const Vectors<kVectors>& text, std::uint8_t* to, __mmask64 last_bytes) noexcept {
#pragma GCC unroll 8
  for (std::size_t i = 0; i + 1 < kVectors; ++i) _mm512_storeu_si512(to + i * kWidth, text.v[i]);
  _mm512_mask_storeu_epi8(to + (kVectors - 1) * kWidth, last_bytes, text.v[kVectors - 1]);
}

// XORs the next keystream onto the text.
template <int kRounds, std::size_t kVectors>
RUNNEL_TARGET_INLINE(RUNNEL_VAES_GCM)
void apply_keystream(Message<kRounds>& message, Vectors<kVectors>& text) noexcept {
  const __m512i four = _mm512_broadcast_i32x4(_mm_set_epi32(0, 0, 0, 4));
  const auto& keys = message.round_keys.keys;
  __m512i blocks[kVectors];
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kVectors; ++i) {
    blocks[i] = _mm512_xor_si512(ghash::reverse_bytes(message.counter), keys[0]);
    message.counter = _mm512_add_epi32(message.counter, four);
  }
#pragma GCC unroll 14
  for (int round = 1; round < kRounds; ++round) {
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kVectors; ++i) {
      blocks[i] = _mm512_aesenc_epi128(blocks[i], keys[round]);
    }
  }
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kVectors; ++i) {
    text.v[i] = _mm512_xor_si512(text.v[i], _mm512_aesenclast_epi128(blocks[i], keys[kRounds]));
  }
}

// Takes the hash so far and the ciphertext, whose first block meets power `highest`.
template <int kRounds, std::size_t kVectors>
RUNNEL_TARGET_INLINE(RUNNEL_VAES_GCM)
ghash::Sum hash(const Message<kRounds>& message, const Vectors<kVectors>& ciphertext,
                std::size_t highest) noexcept {
  const __m512i first =
      _mm512_xor_si512(ghash::reverse_bytes(ciphertext.v[0]), _mm512_zextsi128_si512(message.hash));
  ghash::Sum sum = ghash::product(first, powers_from(message.key, highest));
#pragma GCC unroll 8
  for (std::size_t i = 1; i < kVectors; ++i) {
    ghash::add(sum, ghash::reverse_bytes(ciphertext.v[i]),
               powers_from(message.key, highest - i * kBlocksPerVector));
  }
  return sum;
}

template <int kRounds>
RUNNEL_TARGET_INLINE(RUNNEL_VAES_GCM)
void hash_group(Message<kRounds>& message, const std::uint8_t* ciphertext) noexcept {
  Vectors<kVectorsAtOnce> group;
  load(group, ciphertext, kAllBytes);
  message.hash = ghash::reduce(hash(message, group, kVectorsAtOnce * kBlocksPerVector));
}

template <int kRounds>
RUNNEL_TARGET_INLINE(RUNNEL_VAES_GCM)
void encrypt_group(Message<kRounds>& message, const std::uint8_t* in, std::uint8_t* out) noexcept {
  Vectors<kVectorsAtOnce> group;
  load(group, in, kAllBytes);
  apply_keystream(message, group);
  store(group, out, kAllBytes);
}

// The last 1 to 512 bytes. `waiting` is the group before, when it is still to be hashed. The sum is
// not reduced yet, for the block of the lengths follows: so the first block meets a power more than
// there are blocks.
template <int kRounds, Direction kDirection, std::size_t kVectors>
RUNNEL_TARGET_INLINE(RUNNEL_VAES_GCM)
ghash::Sum process_rest(Message<kRounds>& message, const std::uint8_t* waiting,
                        const std::uint8_t* in, std::uint8_t* out, std::size_t size) noexcept {
  const __mmask64 last_bytes = kAllBytes >> (kVectors * kWidth - size);
  const std::size_t highest = (size + kBlockSize - 1) / kBlockSize + 1;
  Vectors<kVectors> text;
  load(text, in, last_bytes);
  ghash::Sum sum;
  if constexpr (kDirection == Direction::open) sum = hash(message, text, highest);
  apply_keystream(message, text);
  store(text, out, last_bytes);
  if constexpr (kDirection == Direction::seal) {
    if (waiting != nullptr) hash_group(message, waiting);
    text.v[kVectors - 1] = _mm512_maskz_mov_epi8(last_bytes, text.v[kVectors - 1]);
    sum = hash(message, text, highest);
  }
  return sum;
}

template <int kRounds, Direction kDirection>
RUNNEL_TARGET_INLINE(RUNNEL_VAES_GCM)
ghash::Sum process_text(Message<kRounds>& message, ByteView text, std::uint8_t* out) noexcept {
  constexpr std::size_t kGroup = kVectorsAtOnce * kWidth;
  const std::uint8_t* in = text.data();
  const std::uint8_t* waiting = nullptr;
  std::size_t size = text.size();
  // Said to the static analyser: only an empty text may have nowhere to go.
  if (size != 0 && out == nullptr) __builtin_unreachable();
  for (; size > kGroup; size -= kGroup, in += kGroup, out += kGroup) {
    if constexpr (kDirection == Direction::open) hash_group(message, in);
    encrypt_group(message, in, out);
    if constexpr (kDirection == Direction::seal) {
      if (waiting != nullptr) hash_group(message, waiting);
      waiting = out;
    }
  }
  switch ((size + kWidth - 1) / kWidth) {
    case 0:
      return ghash::product(_mm512_zextsi128_si512(message.hash), powers_from(message.key, 1));
    case 1:
      return process_rest<kRounds, kDirection, 1>(message, waiting, in, out, size);
    case 2:
      return process_rest<kRounds, kDirection, 2>(message, waiting, in, out, size);
    case 3:
      return process_rest<kRounds, kDirection, 3>(message, waiting, in, out, size);
    case 4:
      return process_rest<kRounds, kDirection, 4>(message, waiting, in, out, size);
    case 5:
      return process_rest<kRounds, kDirection, 5>(message, waiting, in, out, size);
    case 6:
      return process_rest<kRounds, kDirection, 6>(message, waiting, in, out, size);
    case 7:
      return process_rest<kRounds, kDirection, 7>(message, waiting, in, out, size);
    default:
      return process_rest<kRounds, kDirection, 8>(message, waiting, in, out, size);
  }
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

// The block before the first counter (J0), bytes reversed: the IV and a counter of 1. Put together
// in registers, for the reason in aes_ctr_kernels.h.
RUNNEL_TARGET_INLINE(RUNNEL_VAES_GCM) __m128i block_before_counters(const GcmIv& iv) noexcept {
  std::uint64_t high;
  std::uint32_t low;
  std::memcpy(&high, iv.data(), sizeof high);
  std::memcpy(&low, iv.data() + sizeof high, sizeof low);
  return _mm_set_epi64x(static_cast<long long>(__builtin_bswap64(high)),
                        static_cast<long long>((std::uint64_t{__builtin_bswap32(low)} << 32) | 1));
}

// Everything but the comparison of the tag, which is what it answers.
template <int kRounds, Direction kDirection>
RUNNEL_TARGET(RUNNEL_VAES_GCM)
[[gnu::noinline]] __m128i process(const AesGcmKey& key, const GcmIv& iv, ByteView associated_data,
                                  ByteView text, std::uint8_t* out) noexcept {
  const __m128i before = block_before_counters(iv);
  const __m128i tag_mask = encrypt_block<kRounds>(key.schedule, ghash::reverse_bytes(before));
  Message<kRounds> message{key, {}, {}, {}};
  load_round_keys(key.schedule, message.round_keys);
  message.counter =
      _mm512_add_epi32(_mm512_broadcast_i32x4(before),
                       _mm512_set_epi32(0, 0, 0, 4, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 1));
  message.hash = hash_associated_data(key, associated_data);

  ghash::Sum sum = process_text<kRounds, kDirection>(message, text, out);
  const __m128i lengths = _mm_set_epi64x(static_cast<long long>(associated_data.size() * 8),
                                         static_cast<long long>(text.size() * 8));
  ghash::add(sum, _mm512_zextsi128_si512(lengths), powers_from(key, 1));
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
  const auto seal =
      key.schedule.rounds == 10 ? process<10, Direction::seal> : process<14, Direction::seal>;
  const __m128i tag = seal(key, job.iv, job.associated_data, job.plaintext, job.ciphertext);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(job.tag), tag);
}

RUNNEL_TARGET(RUNNEL_VAES_GCM)
bool gcm_open_vaes_avx512(const AesGcmKey& key, const GcmOpenJob& job) noexcept {
  const auto open =
      key.schedule.rounds == 10 ? process<10, Direction::open> : process<14, Direction::open>;
  const __m128i expected = _mm_loadu_si128(reinterpret_cast<const __m128i*>(job.tag));
  const __m128i tag = open(key, job.iv, job.associated_data, job.ciphertext, job.plaintext);
  const __m128i difference = _mm_xor_si128(tag, expected);
  return _mm_testz_si128(difference, difference) != 0;
}

}  // namespace runnel::crypto

#endif
