// SHA-1 on sixteen messages at once, each in one 32-bit lane of the AVX-512 registers.
#pragma once

#if defined(__x86_64__)

#include "core/crypto/sha1.h"
#include "core/crypto/x86.h"

#define RUNNEL_SHA1_AVX512 "avx512f,avx512bw,avx512dq,avx512vl,avx2"

namespace runnel::crypto {

inline constexpr std::size_t kSha1Lanes = 16;

/// Sixteen states side by side: words[0] holds all a, words[1] all b, and so on.
struct alignas(64) Sha1LaneStates {
  std::uint32_t words[5][kSha1Lanes];

  void set(std::size_t lane, const Sha1State& state) noexcept {
    for (std::size_t i = 0; i < state.size(); ++i) words[i][lane] = state[i];
  }
  void copy_lane(std::size_t lane, const Sha1LaneStates& from, std::size_t from_lane) noexcept {
    for (std::size_t i = 0; i < 5; ++i) words[i][lane] = from.words[i][from_lane];
  }
};

/// Sixteen states and the blocks that follow in each. All sixteen pointers must be readable; a lane
/// that is not in use may look at another one's message.
struct Sha1Lanes {
  Sha1LaneStates states;
  const std::uint8_t* next[kSha1Lanes];
};

/// Takes `blocks` blocks of each lane, and moves `next` behind them.
void sha1_compress_lanes(Sha1Lanes& lanes, std::size_t blocks) noexcept;

/// The last block of each lane, when it holds the digest that `digests` stands for and the padding
/// of a message of `length_in_bits`.
void sha1_compress_digests(Sha1LaneStates& states, const Sha1LaneStates& digests,
                           std::uint32_t length_in_bits) noexcept;

}  // namespace runnel::crypto

#endif
