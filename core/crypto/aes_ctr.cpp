#include "core/crypto/aes_ctr.h"

#include <utility>

#include "core/base/check.h"
#include "core/base/secret.h"
#include "core/crypto/aes_ctr_kernels.h"

namespace runnel::crypto {
namespace {

constexpr std::size_t kBlockSize = 16;

AesCtrFunction function_of(AesCtrKernel kernel) noexcept {
  switch (kernel) {
#if defined(__x86_64__)
    case AesCtrKernel::aesni:
      return aes_ctr_aesni;
    case AesCtrKernel::vaes_avx2:
      return aes_ctr_vaes_avx2;
    case AesCtrKernel::vaes_avx512:
      return aes_ctr_vaes_avx512;
#endif
    default:
      return aes_ctr_openssl;
  }
}

}  // namespace

std::string_view to_string(AesCtrKernel kernel) noexcept {
  switch (kernel) {
    case AesCtrKernel::openssl:
      return "openssl";
    case AesCtrKernel::aesni:
      return "aesni";
    case AesCtrKernel::vaes_avx2:
      return "vaes_avx2";
    case AesCtrKernel::vaes_avx512:
      return "vaes_avx512";
  }
  std::unreachable();
}

bool is_supported(AesCtrKernel kernel, const CpuFeatures& cpu) noexcept {
  switch (kernel) {
    case AesCtrKernel::openssl:
      return true;
    case AesCtrKernel::aesni:
      return cpu.aes && cpu.ssse3 && cpu.sse41;
    case AesCtrKernel::vaes_avx2:
      return cpu.aes && cpu.vaes && cpu.avx2;
    case AesCtrKernel::vaes_avx512:
      return cpu.aes && cpu.vaes && cpu.avx2 && cpu.avx512;
  }
  std::unreachable();
}

AesCtrKernel best_aes_ctr_kernel(const CpuFeatures& cpu) noexcept {
  AesCtrKernel best = AesCtrKernel::openssl;
  for (const AesCtrKernel kernel : kAesCtrKernels) {
    if (is_supported(kernel, cpu)) best = kernel;
  }
  return best;
}

struct AesCtr::State {
  AesCtrKey key{};
  AesCtrFunction function;
  AesCtrKernel kernel;

  explicit State(AesCtrKernel chosen) noexcept : function(function_of(chosen)), kernel(chosen) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() { wipe(&key.schedule, sizeof key.schedule); }
};

AesCtr::AesCtr(ByteView key, AesCtrKernel kernel) : state_(nullptr) {
  RUNNEL_CHECK(key.size() == 16 || key.size() == 32);
  RUNNEL_CHECK(is_supported(kernel));
  state_ = new State(kernel);
  switch (kernel) {
#if defined(__x86_64__)
    case AesCtrKernel::aesni:
    case AesCtrKernel::vaes_avx2:
    case AesCtrKernel::vaes_avx512:
      expand_aes_key(key, state_->key.schedule);
      break;
#endif
    default:
      state_->key.ecb = make_aes_ecb(key);
  }
}

AesCtr::AesCtr(AesCtr&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}

AesCtr& AesCtr::operator=(AesCtr&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

AesCtr::~AesCtr() {
  delete state_;
}

void AesCtr::apply(const CounterBlock& counter, ByteView in, std::uint8_t* out) const noexcept {
  if (in.empty()) return;
  std::uint64_t high = load_be64(counter.data());
  std::uint64_t low = load_be64(counter.data() + 8);

  // The low half overflows once in 2^64 blocks: cut the packet there, and let kernels count in 64
  // bits. (A distance of 0 means 2^64.)
  const std::uint64_t blocks_to_overflow = 0 - low;
  const std::uint64_t blocks = (in.size() + kBlockSize - 1) / kBlockSize;
  if (blocks_to_overflow - 1 < blocks - 1) [[unlikely]] {
    const std::size_t piece = blocks_to_overflow * kBlockSize;
    state_->function(state_->key, high, low, in.data(), out, piece);
    ++high;
    low = 0;
    in = in.subspan(piece);
    out += piece;
  }
  state_->function(state_->key, high, low, in.data(), out, in.size());
}

AesCtrKernel AesCtr::kernel() const noexcept {
  return state_->kernel;
}

}  // namespace runnel::crypto
