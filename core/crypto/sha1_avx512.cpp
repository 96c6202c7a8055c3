#include "core/crypto/sha1_avx512.h"

#if defined(__x86_64__)

namespace runnel::crypto {
namespace {

constexpr std::uint32_t kRoundConstants[4] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};

struct State {
  __m512i a, b, c, d, e;
};

RUNNEL_TARGET_INLINE(RUNNEL_SHA1_AVX512) State load(const Sha1LaneStates& states) noexcept {
  return {_mm512_load_si512(states.words[0]), _mm512_load_si512(states.words[1]),
          _mm512_load_si512(states.words[2]), _mm512_load_si512(states.words[3]),
          _mm512_load_si512(states.words[4])};
}

RUNNEL_TARGET_INLINE(RUNNEL_SHA1_AVX512)
void store(const State& state, Sha1LaneStates& states) noexcept {
  _mm512_store_si512(states.words[0], state.a);
  _mm512_store_si512(states.words[1], state.b);
  _mm512_store_si512(states.words[2], state.c);
  _mm512_store_si512(states.words[3], state.d);
  _mm512_store_si512(states.words[4], state.e);
}

RUNNEL_TARGET_INLINE(RUNNEL_SHA1_AVX512)
void add(State& state, const State& before) noexcept {
  state.a = _mm512_add_epi32(state.a, before.a);
  state.b = _mm512_add_epi32(state.b, before.b);
  state.c = _mm512_add_epi32(state.c, before.c);
  state.d = _mm512_add_epi32(state.d, before.d);
  state.e = _mm512_add_epi32(state.e, before.e);
}

// Ch, Parity, Maj and Parity (FIPS 180-4 §4.1.1) as truth tables.
template <int kFunction>
RUNNEL_TARGET_INLINE(RUNNEL_SHA1_AVX512)
__m512i function_of(__m512i b, __m512i c, __m512i d) noexcept {
  constexpr int kTruthTable = kFunction == 0 ? 0xca : kFunction == 2 ? 0xe8 : 0x96;
  return _mm512_ternarylogic_epi32(b, c, d, kTruthTable);
}

// Word `t` of the message schedule replaces the one sixteen rounds before.
RUNNEL_TARGET_INLINE(RUNNEL_SHA1_AVX512) void extend(__m512i (&w)[16], int t) noexcept {
  const __m512i mixed =
      _mm512_ternarylogic_epi32(w[(t + 13) & 15], w[(t + 8) & 15], w[(t + 2) & 15], 0x96);
  w[t & 15] = _mm512_rol_epi32(_mm512_xor_si512(mixed, w[t & 15]), 1);
}

template <int kFunction>
RUNNEL_TARGET_INLINE(RUNNEL_SHA1_AVX512)
void one_round(State& s, __m512i (&w)[16], int t) noexcept {
  if (t >= 16) extend(w, t);
  const __m512i constant = _mm512_set1_epi32(static_cast<int>(kRoundConstants[kFunction]));
  // From one `a` to the next leads the chain that bounds the speed: a rotation and one addition.
  // The compiler must not regroup the sum, which would put the other additions into the chain.
  __m512i sum = _mm512_add_epi32(_mm512_add_epi32(w[t & 15], constant), s.e);
  asm("" : "+v"(sum));
  sum = _mm512_add_epi32(sum, function_of<kFunction>(s.b, s.c, s.d));
  asm("" : "+v"(sum));
  s.e = s.d;
  s.d = s.c;
  s.c = _mm512_rol_epi32(s.b, 30);
  s.b = s.a;
  s.a = _mm512_add_epi32(sum, _mm512_rol_epi32(s.a, 5));
}

template <int kFunction>
RUNNEL_TARGET_INLINE(RUNNEL_SHA1_AVX512)
void twenty_rounds(State& state, __m512i (&words)[16]) noexcept {
#pragma GCC unroll 20
  for (int i = 0; i < 20; ++i) one_round<kFunction>(state, words, kFunction * 20 + i);
}

RUNNEL_TARGET_INLINE(RUNNEL_SHA1_AVX512)
void compress(State& state, __m512i (&words)[16]) noexcept {
  const State before = state;
  twenty_rounds<0>(state, words);
  twenty_rounds<1>(state, words);
  twenty_rounds<2>(state, words);
  twenty_rounds<3>(state, words);
  add(state, before);
}

RUNNEL_TARGET_INLINE(RUNNEL_SHA1_AVX512)
__m512i load_block(const std::uint8_t* block) noexcept {
  const __m512i swap_bytes =
      _mm512_broadcast_i32x4(_mm_set_epi8(12, 13, 14, 15, 8, 9, 10, 11, 4, 5, 6, 7, 0, 1, 2, 3));
  return _mm512_shuffle_epi8(_mm512_loadu_si512(block), swap_bytes);
}

// Loads one block of each lane and transposes sixteen blocks of sixteen words into sixteen words of
// sixteen lanes. Four registers at a time and in place, so that nothing is spilled.
RUNNEL_TARGET_INLINE(RUNNEL_SHA1_AVX512)
void load_words(const std::uint8_t* const* next, std::size_t offset, __m512i (&w)[16]) noexcept {
  // Four lanes: afterwards w[lanes + i] holds their words i, 4 + i, 8 + i and 12 + i.
#pragma GCC unroll 4
  for (int lanes = 0; lanes < 16; lanes += 4) {
    const __m512i block0 = load_block(next[lanes] + offset);
    const __m512i block1 = load_block(next[lanes + 1] + offset);
    const __m512i block2 = load_block(next[lanes + 2] + offset);
    const __m512i block3 = load_block(next[lanes + 3] + offset);
    const __m512i low01 = _mm512_unpacklo_epi32(block0, block1);
    const __m512i high01 = _mm512_unpackhi_epi32(block0, block1);
    const __m512i low23 = _mm512_unpacklo_epi32(block2, block3);
    const __m512i high23 = _mm512_unpackhi_epi32(block2, block3);
    w[lanes] = _mm512_unpacklo_epi64(low01, low23);
    w[lanes + 1] = _mm512_unpackhi_epi64(low01, low23);
    w[lanes + 2] = _mm512_unpacklo_epi64(high01, high23);
    w[lanes + 3] = _mm512_unpackhi_epi64(high01, high23);
  }
  // The quarters of four registers: afterwards w[i] holds word i of all lanes.
#pragma GCC unroll 4
  for (int i = 0; i < 4; ++i) {
    const __m512i even01 = _mm512_shuffle_i32x4(w[i], w[4 + i], 0x88);
    const __m512i odd01 = _mm512_shuffle_i32x4(w[i], w[4 + i], 0xdd);
    const __m512i even23 = _mm512_shuffle_i32x4(w[8 + i], w[12 + i], 0x88);
    const __m512i odd23 = _mm512_shuffle_i32x4(w[8 + i], w[12 + i], 0xdd);
    w[i] = _mm512_shuffle_i32x4(even01, even23, 0x88);
    w[4 + i] = _mm512_shuffle_i32x4(odd01, odd23, 0x88);
    w[8 + i] = _mm512_shuffle_i32x4(even01, even23, 0xdd);
    w[12 + i] = _mm512_shuffle_i32x4(odd01, odd23, 0xdd);
  }
}

}  // namespace

RUNNEL_TARGET(RUNNEL_SHA1_AVX512)
void sha1_compress_lanes(Sha1Lanes& lanes, std::size_t blocks) noexcept {
  State state = load(lanes.states);
  const std::size_t size = blocks * kSha1BlockSize;
  for (std::size_t offset = 0; offset != size; offset += kSha1BlockSize) {
    __m512i words[16];
    load_words(lanes.next, offset, words);
    compress(state, words);
  }
  store(state, lanes.states);
  for (const std::uint8_t*& next : lanes.next) next += size;
}

RUNNEL_TARGET(RUNNEL_SHA1_AVX512)
void sha1_compress_digests(Sha1LaneStates& states, const Sha1LaneStates& digests,
                           std::uint32_t length_in_bits) noexcept {
  State state = load(states);
  const State digest = load(digests);
  __m512i words[16] = {digest.a, digest.b, digest.c, digest.d, digest.e};
  words[5] = _mm512_set1_epi32(static_cast<int>(0x80000000));
#pragma GCC unroll 16
  for (int i = 6; i < 15; ++i) words[i] = _mm512_setzero_si512();
  words[15] = _mm512_set1_epi32(static_cast<int>(length_in_bits));
  compress(state, words);
  store(state, states);
}

}  // namespace runnel::crypto

#endif
