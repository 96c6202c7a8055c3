#include "core/crypto/xor.h"

#include <atomic>
#include <utility>

#include "core/base/check.h"
#include "core/crypto/xor_kernels.h"

namespace runnel::crypto {
namespace {

struct Functions {
  XorFunction apply;
  MaskFunction mask;
};

constexpr Functions kPortable{xor_portable, mask_portable};
#if defined(__x86_64__)
constexpr Functions kSse2{xor_sse2, mask_sse2};
constexpr Functions kAvx2{xor_avx2, mask_avx2};
constexpr Functions kAvx512{xor_avx512, mask_avx512};
#endif

const Functions& functions_of(XorKernel kernel) noexcept {
  switch (kernel) {
#if defined(__x86_64__)
    case XorKernel::sse2:
      return kSse2;
    case XorKernel::avx2:
      return kAvx2;
    case XorKernel::avx512:
      return kAvx512;
#endif
    default:
      return kPortable;
  }
}

// The best kernel's, once asked for. Several threads may ask at once: they store the same answer.
constinit std::atomic<const Functions*> known_best{nullptr};

[[gnu::noinline, gnu::cold]] const Functions& find_best() noexcept {
  const Functions& functions = functions_of(best_xor_kernel());
  known_best.store(&functions, std::memory_order_relaxed);
  return functions;
}

// Short strings cannot afford the guard of a local static variable.
inline const Functions& best_functions() noexcept {
  const Functions* known = known_best.load(std::memory_order_relaxed);
  return known != nullptr ? *known : find_best();
}

std::uint32_t key_from(const MaskingKey& key, std::size_t phase) noexcept {
  return key_at(load_word<std::uint32_t>(key.data()), phase);
}

}  // namespace

std::string_view to_string(XorKernel kernel) noexcept {
  switch (kernel) {
    case XorKernel::portable:
      return "portable";
    case XorKernel::sse2:
      return "sse2";
    case XorKernel::avx2:
      return "avx2";
    case XorKernel::avx512:
      return "avx512";
  }
  std::unreachable();
}

bool is_supported(XorKernel kernel, const CpuFeatures& cpu) noexcept {
  switch (kernel) {
    case XorKernel::portable:
      return true;
    case XorKernel::sse2:
      return cpu.sse2;
    case XorKernel::avx2:
      return cpu.sse2 && cpu.avx2;
    case XorKernel::avx512:
      return cpu.sse2 && cpu.avx2 && cpu.avx512;
  }
  std::unreachable();
}

XorKernel best_xor_kernel(const CpuFeatures& cpu) noexcept {
  XorKernel best = XorKernel::portable;
  for (const XorKernel kernel : kXorKernels) {
    if (is_supported(kernel, cpu)) best = kernel;
  }
  return best;
}

void xor_bytes(ByteView a, ByteView b, std::uint8_t* out) noexcept {
  if (a.size() < 16) return xor_below_16(a.data(), b.data(), out, a.size());
  best_functions().apply(a.data(), b.data(), out, a.size());
}

void xor_bytes(ByteView a, ByteView b, std::uint8_t* out, XorKernel kernel) noexcept {
  RUNNEL_CHECK(is_supported(kernel));
  functions_of(kernel).apply(a.data(), b.data(), out, a.size());
}

void xor_masking_key(ByteSpan data, const MaskingKey& key, std::size_t phase) noexcept {
  best_functions().mask(data.data(), data.size(), key_from(key, phase));
}

void xor_masking_key(ByteSpan data, const MaskingKey& key, std::size_t phase,
                     XorKernel kernel) noexcept {
  RUNNEL_CHECK(is_supported(kernel));
  functions_of(kernel).mask(data.data(), data.size(), key_from(key, phase));
}

}  // namespace runnel::crypto
