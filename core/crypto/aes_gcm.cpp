#include "core/crypto/aes_gcm.h"

#include <utility>

#include "core/base/check.h"
#include "core/base/secret.h"
#include "core/crypto/aes_gcm_kernels.h"

namespace runnel::crypto {

std::string_view to_string(AesGcmKernel kernel) noexcept {
  switch (kernel) {
    case AesGcmKernel::openssl:
      return "openssl";
    case AesGcmKernel::vaes_avx512:
      return "vaes_avx512";
  }
  std::unreachable();
}

bool is_supported(AesGcmKernel kernel, const CpuFeatures& cpu) noexcept {
  switch (kernel) {
    case AesGcmKernel::openssl:
      return true;
    case AesGcmKernel::vaes_avx512:
      return cpu.aes && cpu.pclmulqdq && cpu.avx2 && cpu.avx512 && cpu.vaes && cpu.vpclmulqdq;
  }
  std::unreachable();
}

AesGcmKernel best_aes_gcm_kernel(const CpuFeatures& cpu) noexcept {
  return is_supported(AesGcmKernel::vaes_avx512, cpu) ? AesGcmKernel::vaes_avx512
                                                      : AesGcmKernel::openssl;
}

struct AesGcm::State {
  AesGcmKey key{};
  GcmSealFunction seal = gcm_seal_openssl;
  GcmOpenFunction open = gcm_open_openssl;
  AesGcmKernel kernel = AesGcmKernel::openssl;

  State() noexcept = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    wipe(&key.schedule, sizeof key.schedule);
    wipe(key.powers, sizeof key.powers);
  }
};

AesGcm::AesGcm(ByteView key, AesGcmKernel kernel) : state_(nullptr) {
  RUNNEL_CHECK(key.size() == 16 || key.size() == 32);
  RUNNEL_CHECK(is_supported(kernel));
  state_ = new State;
  state_->kernel = kernel;
  switch (kernel) {
#if defined(__x86_64__)
    case AesGcmKernel::vaes_avx512:
      prepare_gcm_vaes_avx512(key, state_->key);
      state_->seal = gcm_seal_vaes_avx512;
      state_->open = gcm_open_vaes_avx512;
      break;
#endif
    default:
      state_->key.context = make_aes_gcm(key);
  }
}

AesGcm::AesGcm(AesGcm&& other) noexcept : state_(std::exchange(other.state_, nullptr)) {}

AesGcm& AesGcm::operator=(AesGcm&& other) noexcept {
  std::swap(state_, other.state_);
  return *this;
}

AesGcm::~AesGcm() {
  delete state_;
}

AesGcmKernel AesGcm::kernel() const noexcept {
  return state_->kernel;
}

void gcm_seal(std::span<const GcmSealJob> jobs) noexcept {
  for (const GcmSealJob& job : jobs) job.key->state_->seal(job.key->state_->key, job);
}

void gcm_open(std::span<GcmOpenJob> jobs) noexcept {
  for (GcmOpenJob& job : jobs) {
    job.authentic = job.key->state_->open(job.key->state_->key, job);
  }
}

}  // namespace runnel::crypto
