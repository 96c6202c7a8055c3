// HMAC-SHA1 with AVX-512, sixteen messages side by side. The inner hashes come first; a message
// that ends makes room for the next one, so that messages of different lengths keep all lanes busy.
// The outer hashes, one block each, follow together.
#if defined(__x86_64__)

#include <algorithm>
#include <bit>

#include "core/crypto/hmac_sha1_kernels.h"
#include "core/crypto/sha1_avx512.h"

namespace runnel::crypto {
namespace {

constexpr std::size_t kJobsAtOnce = 64;
constexpr std::size_t kGroups = kJobsAtOnce / kSha1Lanes;

// Lays out the end of a message, its last `size` bytes (less than a block) with the padding, and
// answers how many blocks that takes.
RUNNEL_TARGET(RUNNEL_SHA1_AVX512)
std::uint32_t pad(const std::uint8_t* rest, std::size_t size, std::uint64_t length_in_bits,
                  std::uint8_t* end) noexcept {
  const __mmask64 stop = __mmask64{1} << size;
  __m512i block = _mm512_maskz_loadu_epi8(stop - 1, rest);
  block = _mm512_mask_mov_epi8(block, stop, _mm512_set1_epi8(static_cast<char>(0x80)));
  const __m512i length =
      _mm512_maskz_set1_epi64(0x80, static_cast<long long>(__builtin_bswap64(length_in_bits)));
  if (size + 1 + sizeof length_in_bits <= kSha1BlockSize) {
    _mm512_store_si512(end, _mm512_or_si512(block, length));
    return 1;
  }
  _mm512_store_si512(end, block);
  _mm512_store_si512(end + kSha1BlockSize, length);
  return 2;
}

// The inner hashes of up to kJobsAtOnce jobs.
class InnerHashes {
 public:
  // `results` has room for every job: job i becomes lane i % 16 of element i / 16.
  InnerHashes(std::span<const HmacSha1Job> jobs, Sha1LaneStates* results) noexcept
      : jobs_(jobs), results_(results) {}

  void run() noexcept {
    for (std::size_t lane = 0; lane < kSha1Lanes; ++lane) begin_message(lane);
    while (busy_ != 0) {
      let_idle_lanes_follow();
      const std::uint32_t blocks = shortest_run();
      sha1_compress_lanes(lanes_, blocks);
      for (std::uint32_t ended = take_off(blocks); ended != 0; ended &= ended - 1) {
        end_run(lowest(ended));
      }
    }
  }

 private:
  static constexpr std::uint32_t kIdle = UINT32_MAX;  // in blocks_
  static constexpr std::uint32_t kAllLanes = 0xffff;

  static std::uint32_t bit(std::size_t lane) noexcept { return std::uint32_t{1} << lane; }
  static std::size_t lowest(std::uint32_t lanes) noexcept {
    return static_cast<std::size_t>(std::countr_zero(lanes));
  }

  // The next job, if there is one, takes the lane.
  void begin_message(std::size_t lane) noexcept {
    if (begun_ == jobs_.size()) {
      busy_ &= ~bit(lane);
      blocks_[lane] = kIdle;
      return;
    }
    const HmacSha1Job& job = jobs_[begun_];
    job_[lane] = begun_++;
    busy_ |= bit(lane);
    in_padded_end_ &= ~bit(lane);
    lanes_.states.set(lane, job.key->inner());
    lanes_.next[lane] = job.message.data();
    blocks_[lane] = static_cast<std::uint32_t>(job.message.size() / kSha1BlockSize);
    if (blocks_[lane] == 0) begin_padded_end(lane);
  }

  void begin_padded_end(std::size_t lane) noexcept {
    const ByteView message = jobs_[job_[lane]].message;
    const std::size_t rest = message.size() % kSha1BlockSize;
    blocks_[lane] = pad(message.data() + message.size() - rest, rest,
                        inner_length_in_bits(message.size()), ends_[lane]);
    lanes_.next[lane] = ends_[lane];
    in_padded_end_ |= bit(lane);
  }

  void end_run(std::size_t lane) noexcept {
    if ((in_padded_end_ & bit(lane)) == 0) return begin_padded_end(lane);
    const std::size_t job = job_[lane];
    results_[job / kSha1Lanes].copy_lane(job % kSha1Lanes, lanes_.states, lane);
    begin_message(lane);
  }

  RUNNEL_TARGET(RUNNEL_SHA1_AVX512) std::uint32_t shortest_run() const noexcept {
    return _mm512_reduce_min_epu32(_mm512_load_si512(blocks_));
  }

  // `blocks` less to do in every busy lane. Answers which lanes have come to the end of their run.
  RUNNEL_TARGET(RUNNEL_SHA1_AVX512) std::uint32_t take_off(std::uint32_t blocks) noexcept {
    __m512i left = _mm512_load_si512(blocks_);
    left = _mm512_mask_sub_epi32(left, static_cast<__mmask16>(busy_), left,
                                 _mm512_set1_epi32(static_cast<int>(blocks)));
    _mm512_store_si512(blocks_, left);
    return _mm512_testn_epi32_mask(left, left);
  }

  // All lanes compress; those without a message read along with a busy one.
  void let_idle_lanes_follow() noexcept {
    const std::uint8_t* const readable = lanes_.next[lowest(busy_)];
    for (std::uint32_t idle = busy_ ^ kAllLanes; idle != 0; idle &= idle - 1) {
      lanes_.next[lowest(idle)] = readable;
    }
  }

  std::span<const HmacSha1Job> jobs_;
  Sha1LaneStates* results_;
  std::size_t begun_ = 0;            // jobs
  std::uint32_t busy_ = 0;           // a bit for each lane
  std::uint32_t in_padded_end_ = 0;  // likewise
  Sha1Lanes lanes_;
  alignas(64) std::uint32_t blocks_[kSha1Lanes];  // left in this run
  alignas(64) std::uint8_t ends_[kSha1Lanes][2 * kSha1BlockSize];
  std::size_t job_[kSha1Lanes];
};

// The outer hashes of up to sixteen jobs. Lanes beyond them repeat the first one.
void outer_hashes(std::span<const HmacSha1Job> jobs, Sha1LaneStates& inner) noexcept {
  Sha1LaneStates states;
  for (std::size_t lane = 0; lane < jobs.size(); ++lane) {
    states.set(lane, jobs[lane].key->outer());
  }
  for (std::size_t lane = jobs.size(); lane < kSha1Lanes; ++lane) {
    states.copy_lane(lane, states, 0);
    inner.copy_lane(lane, inner, 0);
  }
  sha1_compress_digests(states, inner, kOuterLengthInBits);
  for (std::size_t lane = 0; lane < jobs.size(); ++lane) {
    std::uint8_t* const digest = jobs[lane].digest->data();
    for (std::size_t i = 0; i < 5; ++i) store_be32(digest + 4 * i, states.words[i][lane]);
  }
}

}  // namespace

void hmac_sha1_avx512(std::span<const HmacSha1Job> jobs) noexcept {
  Sha1LaneStates inner[kGroups];
  while (!jobs.empty()) {
    auto batch = jobs.first(std::min(jobs.size(), kJobsAtOnce));
    jobs = jobs.subspan(batch.size());
    InnerHashes(batch, inner).run();
    for (std::size_t group = 0; !batch.empty(); ++group) {
      const auto some = batch.first(std::min(batch.size(), kSha1Lanes));
      outer_hashes(some, inner[group]);
      batch = batch.subspan(some.size());
    }
  }
}

}  // namespace runnel::crypto

#endif
