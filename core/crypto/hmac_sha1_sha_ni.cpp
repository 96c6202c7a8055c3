// HMAC-SHA1 with SHA-NI, up to four messages interleaved. A message that ends makes room for the
// next one, so that messages of different lengths keep all four places busy.
#if defined(__x86_64__)

#include <algorithm>
#include <utility>

#include "core/crypto/hmac_sha1_kernels.h"
#include "core/crypto/x86.h"

#define RUNNEL_SHA_NI "sha,sse4.1,ssse3"

namespace runnel::crypto {
namespace {

constexpr std::size_t kMaxLanes = 4;

// One message on its way. Its blocks come in three runs: whole blocks where the message lies, the
// padded end, and the one block of the outer hash; the latter two are laid out in `end`.
struct Lane {
  enum class Run : std::uint8_t { whole_blocks, padded_end, outer_hash };

  alignas(16) std::uint8_t end[2 * kSha1BlockSize];
  __m128i abcd;  // the state, a in the highest word
  __m128i e;     // e in the highest word
  const std::uint8_t* next;
  std::size_t blocks;  // left in this run
  Run run;
  const HmacSha1Job* job;
};

inline __m128i byte_reversal() noexcept {
  return _mm_set_epi8(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

template <std::size_t kLanes>
struct Registers {
  __m128i abcd[kLanes];
  __m128i e[kLanes];
  __m128i words[kLanes][4];  // sixteen words of the message schedule
};

// Twenty rounds of one function (FIPS 180-4 §4.1.1), as five groups of four.
template <int kFunction, std::size_t kLanes>
RUNNEL_TARGET_INLINE(RUNNEL_SHA_NI)
void twenty_rounds(Registers<kLanes>& r) noexcept {
#pragma GCC unroll 5
  for (int i = 0; i < 5; ++i) {
    const int group = kFunction * 5 + i;
    const int now = group & 3;
#pragma GCC unroll 4
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const __m128i before = r.abcd[lane];
      __m128i* const words = r.words[lane];
      const __m128i input = group == 0 ? _mm_add_epi32(r.e[lane], words[now])
                                       : _mm_sha1nexte_epu32(r.e[lane], words[now]);
      r.abcd[lane] = _mm_sha1rnds4_epu32(before, input, kFunction);
      r.e[lane] = before;
      if (group < 16) {
        const __m128i mixed = _mm_xor_si128(_mm_sha1msg1_epu32(words[now], words[(group + 1) & 3]),
                                            words[(group + 2) & 3]);
        words[now] = _mm_sha1msg2_epu32(mixed, words[(group + 3) & 3]);
      }
    }
  }
}

template <std::size_t kLanes>
RUNNEL_TARGET(RUNNEL_SHA_NI)
void compress(Lane* const* lanes, std::size_t blocks) noexcept {
  Registers<kLanes> r;
  const std::uint8_t* next[kLanes];
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    r.abcd[lane] = lanes[lane]->abcd;
    r.e[lane] = lanes[lane]->e;
    next[lane] = lanes[lane]->next;
  }
  for (; blocks != 0; --blocks) {
    __m128i abcd_before[kLanes];
    __m128i e_before[kLanes];
#pragma GCC unroll 4
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      abcd_before[lane] = r.abcd[lane];
      e_before[lane] = r.e[lane];
#pragma GCC unroll 4
      for (std::size_t i = 0; i < 4; ++i) {
        const __m128i bytes =
            _mm_loadu_si128(reinterpret_cast<const __m128i*>(next[lane] + 16 * i));
        r.words[lane][i] = _mm_shuffle_epi8(bytes, byte_reversal());
      }
      next[lane] += kSha1BlockSize;
    }
    twenty_rounds<0>(r);
    twenty_rounds<1>(r);
    twenty_rounds<2>(r);
    twenty_rounds<3>(r);
#pragma GCC unroll 4
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      r.abcd[lane] = _mm_add_epi32(r.abcd[lane], abcd_before[lane]);
      r.e[lane] = _mm_sha1nexte_epu32(r.e[lane], e_before[lane]);
    }
  }
  for (std::size_t lane = 0; lane < kLanes; ++lane) {
    lanes[lane]->abcd = r.abcd[lane];
    lanes[lane]->e = r.e[lane];
    lanes[lane]->next = next[lane];
  }
}

void load_state(Lane& lane, const Sha1State& state) noexcept {
  const __m128i dcba = _mm_loadu_si128(reinterpret_cast<const __m128i*>(state.data()));
  lane.abcd = _mm_shuffle_epi32(dcba, 0x1b);
  lane.e = _mm_set_epi32(static_cast<int>(state[4]), 0, 0, 0);
}

void begin_padded_end(Lane& lane) noexcept {
  const ByteView message = lane.job->message;
  const ByteView rest = message.last(message.size() % kSha1BlockSize);
  lane.run = Lane::Run::padded_end;
  lane.blocks = rest.size() + 1 + sizeof(std::uint64_t) <= kSha1BlockSize ? 1 : 2;
  lane.next = lane.end;
  std::memset(lane.end, 0, sizeof lane.end);
  copy_bytes(lane.end, rest);
  lane.end[rest.size()] = 0x80;
  store_be64(lane.end + lane.blocks * kSha1BlockSize - 8, inner_length_in_bits(message.size()));
}

void begin_message(Lane& lane, const HmacSha1Job& job) noexcept {
  lane.job = &job;
  load_state(lane, job.key->inner());
  lane.run = Lane::Run::whole_blocks;
  lane.next = job.message.data();
  lane.blocks = job.message.size() / kSha1BlockSize;
  if (lane.blocks == 0) begin_padded_end(lane);
}

RUNNEL_TARGET(RUNNEL_SHA_NI)
void begin_outer_hash(Lane& lane) noexcept {
  const __m128i words[4] = {lane.abcd, _mm_insert_epi32(lane.e, static_cast<int>(0x80000000), 2),
                            _mm_setzero_si128(), _mm_set_epi32(0, 0, 0, kOuterLengthInBits)};
  for (std::size_t i = 0; i < 4; ++i) {
    _mm_store_si128(reinterpret_cast<__m128i*>(lane.end + 16 * i),
                    _mm_shuffle_epi8(words[i], byte_reversal()));
  }
  load_state(lane, lane.job->key->outer());
  lane.run = Lane::Run::outer_hash;
  lane.next = lane.end;
  lane.blocks = 1;
}

RUNNEL_TARGET(RUNNEL_SHA_NI)
void write_digest(const Lane& lane) noexcept {
  std::uint8_t* const digest = lane.job->digest->data();
  _mm_storeu_si128(reinterpret_cast<__m128i*>(digest),
                   _mm_shuffle_epi8(lane.abcd, byte_reversal()));
  store_be32(digest + 16, static_cast<std::uint32_t>(_mm_extract_epi32(lane.e, 3)));
}

// After the last block of a run. Answers whether another run follows.
bool begin_next_run(Lane& lane) noexcept {
  switch (lane.run) {
    case Lane::Run::whole_blocks:
      begin_padded_end(lane);
      return true;
    case Lane::Run::padded_end:
      begin_outer_hash(lane);
      return true;
    case Lane::Run::outer_hash:
      break;
  }
  write_digest(lane);
  return false;
}

void compress_all(Lane* const* lanes, std::size_t count, std::size_t blocks) noexcept {
  switch (count) {
    case 1:
      return compress<1>(lanes, blocks);
    case 2:
      return compress<2>(lanes, blocks);
    case 3:
      return compress<3>(lanes, blocks);
    default:
      return compress<4>(lanes, blocks);
  }
}

}  // namespace

void hmac_sha1_sha_ni(std::span<const HmacSha1Job> jobs) noexcept {
  Lane storage[kMaxLanes];
  Lane* lanes[kMaxLanes] = {&storage[0], &storage[1], &storage[2], &storage[3]};
  std::size_t busy = 0;  // the first lanes
  for (;;) {
    for (; busy < kMaxLanes && !jobs.empty(); ++busy, jobs = jobs.subspan(1)) {
      begin_message(*lanes[busy], jobs.front());
    }
    if (busy == 0) return;
    std::size_t blocks = lanes[0]->blocks;
    for (std::size_t i = 1; i < busy; ++i) blocks = std::min(blocks, lanes[i]->blocks);
    compress_all(lanes, busy, blocks);
    for (std::size_t i = busy; i-- > 0;) {
      lanes[i]->blocks -= blocks;
      if (lanes[i]->blocks == 0 && !begin_next_run(*lanes[i])) std::swap(lanes[i], lanes[--busy]);
    }
  }
}

}  // namespace runnel::crypto

#endif
