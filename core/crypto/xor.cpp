#include "core/crypto/xor.h"

#include <utility>

#include "core/base/check.h"
#include "core/crypto/xor_kernels.h"

namespace runnel::crypto {
namespace {

struct Kernel {
  XorFunction apply;
  MaskFunction mask;
};

Kernel functions_of(XorKernel kernel) noexcept {
  switch (kernel) {
#if defined(__x86_64__)
    case XorKernel::sse2:
      return {xor_sse2, mask_sse2};
    case XorKernel::avx2:
      return {xor_avx2, mask_avx2};
    case XorKernel::avx512:
      return {xor_avx512, mask_avx512};
#endif
    default:
      return {xor_portable, mask_portable};
  }
}

const Kernel& best_functions() noexcept {
  static const Kernel functions = functions_of(best_xor_kernel());
  return functions;
}

std::uint32_t key_from(const MaskingKey& key, std::size_t phase) noexcept {
  MaskingKey turned;
  for (std::size_t i = 0; i < turned.size(); ++i) turned[i] = key[(phase + i) % 4];
  return load_word<std::uint32_t>(turned.data());
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
