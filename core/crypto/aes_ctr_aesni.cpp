// AES-CTR with AES-NI. One AESENC takes several cycles but another can start in each, so eight
// blocks go through the rounds side by side.
#if defined(__x86_64__)

#include "core/crypto/aes_ctr_kernels.h"
#include "core/crypto/partial_block.h"

#define RUNNEL_AESNI "aes,sse4.1,ssse3"

namespace runnel::crypto {
namespace {

constexpr std::size_t kBlockSize = 16;
constexpr std::size_t kBlocksAtOnce = 8;

RUNNEL_TARGET_INLINE(RUNNEL_AESNI)
__m128i round_key(const AesKeySchedule& schedule, int round) noexcept {
  return _mm_load_si128(reinterpret_cast<const __m128i*>(schedule.round_keys[round]));
}

// XORs `size` bytes, of which only the last block may be partial: (kBlocks-1)*16 < size <=
// kBlocks*16. `counter` holds the counter with its bytes reversed, where it can be added to.
template <std::size_t kBlocks>
RUNNEL_TARGET_INLINE(RUNNEL_AESNI)
void xor_blocks(const AesKeySchedule& schedule, __m128i& counter, const std::uint8_t* in,
                std::uint8_t* out, std::size_t size) noexcept {
  const __m128i reverse = _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  const __m128i one = _mm_set_epi64x(0, 1);
  __m128i blocks[kBlocks];
  const __m128i whitening = round_key(schedule, 0);
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kBlocks; ++i) {
    blocks[i] = _mm_xor_si128(_mm_shuffle_epi8(counter, reverse), whitening);
    counter = _mm_add_epi64(counter, one);
  }
  for (int round = 1; round < schedule.rounds; ++round) {
    const __m128i key = round_key(schedule, round);
#pragma GCC unroll 8
    for (std::size_t i = 0; i < kBlocks; ++i) blocks[i] = _mm_aesenc_si128(blocks[i], key);
  }
  const __m128i last_key = round_key(schedule, schedule.rounds);
#pragma GCC unroll 8
  for (std::size_t i = 0; i < kBlocks; ++i) blocks[i] = _mm_aesenclast_si128(blocks[i], last_key);

#pragma GCC unroll 8
  for (std::size_t i = 0; i < kBlocks; ++i) {
    const std::uint8_t* from = in + i * kBlockSize;
    std::uint8_t* to = out + i * kBlockSize;
    if (i + 1 == kBlocks && size % kBlockSize != 0) {
      xor_partial_block(blocks[i], from, to, size % kBlockSize);
    } else {
      const __m128i text = _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
      _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_xor_si128(text, blocks[i]));
    }
  }
}

}  // namespace

RUNNEL_TARGET(RUNNEL_AESNI)
void aes_ctr_aesni(const AesCtrKey& key, std::uint64_t high, std::uint64_t low,
                   const std::uint8_t* in, std::uint8_t* out, std::size_t size) noexcept {
  const AesKeySchedule& schedule = key.schedule;
  __m128i counter = _mm_set_epi64x(static_cast<long long>(high), static_cast<long long>(low));
  constexpr std::size_t kGroup = kBlocksAtOnce * kBlockSize;
  for (; size > kGroup; size -= kGroup, in += kGroup, out += kGroup) {
    xor_blocks<kBlocksAtOnce>(schedule, counter, in, out, kGroup);
  }
  switch ((size + kBlockSize - 1) / kBlockSize) {
    case 1:
      return xor_blocks<1>(schedule, counter, in, out, size);
    case 2:
      return xor_blocks<2>(schedule, counter, in, out, size);
    case 3:
      return xor_blocks<3>(schedule, counter, in, out, size);
    case 4:
      return xor_blocks<4>(schedule, counter, in, out, size);
    case 5:
      return xor_blocks<5>(schedule, counter, in, out, size);
    case 6:
      return xor_blocks<6>(schedule, counter, in, out, size);
    case 7:
      return xor_blocks<7>(schedule, counter, in, out, size);
    default:
      return xor_blocks<8>(schedule, counter, in, out, size);
  }
}

}  // namespace runnel::crypto

#endif
