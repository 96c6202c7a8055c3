#include "core/crypto/aes_ctr.h"

#include <utility>

#include "core/base/check.h"
#include "core/crypto/aes_ctr_kernels.h"

namespace runnel::crypto {
namespace {

AesCtrFunction function_of(AesCtrKernel kernel) noexcept {
  switch (kernel) {
    case AesCtrKernel::openssl:
    case AesCtrKernel::aesni:
    case AesCtrKernel::vaes_avx2:
    case AesCtrKernel::vaes_avx512:
      break;
  }
  return aes_ctr_openssl;
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
  return "unknown";
}

bool is_supported(AesCtrKernel kernel, const CpuFeatures&) noexcept {
  return kernel == AesCtrKernel::openssl;
}

AesCtrKernel best_aes_ctr_kernel(const CpuFeatures& cpu) noexcept {
  AesCtrKernel best = AesCtrKernel::openssl;
  for (const AesCtrKernel kernel : kAesCtrKernels) {
    if (is_supported(kernel, cpu)) best = kernel;
  }
  return best;
}

struct AesCtr::State {
  AesCtrKey key;
  AesCtrFunction function;
  AesCtrKernel kernel;
};

AesCtr::AesCtr(ByteView key, AesCtrKernel kernel) : state_(nullptr) {
  RUNNEL_CHECK(key.size() == 16 || key.size() == 32);
  RUNNEL_CHECK(is_supported(kernel));
  state_ = new State{AesCtrKey{make_aes_ecb(key)}, function_of(kernel), kernel};
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
  state_->function(state_->key, counter, in, out);
}

AesCtrKernel AesCtr::kernel() const noexcept {
  return state_->kernel;
}

}  // namespace runnel::crypto
