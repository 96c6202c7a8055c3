#include "core/crypto/cpu_features.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace runnel::crypto {
namespace {

constexpr bool has_bit(std::uint32_t word, unsigned bit) noexcept {
  return (word >> bit & 1) != 0;
}

// XCR0: which state components XSAVE covers (Intel SDM volume 1, §13.3).
constexpr std::uint64_t kXmmAndYmmState = 0b0000'0110;
constexpr std::uint64_t kAvx512State = 0b1110'0110;  // and opmask, ZMM_Hi256, Hi16_ZMM

#if defined(__x86_64__)

// Only allowed where CPUID reports OSXSAVE.
std::uint64_t read_xcr0() noexcept {
  std::uint32_t low = 0;
  std::uint32_t high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (std::uint64_t{high} << 32) | low;
}

CpuidRegisters read_registers() noexcept {
  CpuidRegisters registers;
  std::uint32_t eax = 0;
  std::uint32_t ebx = 0;
  std::uint32_t ecx = 0;
  std::uint32_t edx = 0;
  if (__get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0) {
    registers.leaf1_ecx = ecx;
    registers.leaf1_edx = edx;
  }
  if (__get_cpuid_count(7, 0, &eax, &ebx, &ecx, &edx) != 0) {
    registers.leaf7_ebx = ebx;
    registers.leaf7_ecx = ecx;
  }
  if (has_bit(registers.leaf1_ecx, 27)) registers.xcr0 = read_xcr0();
  return registers;
}

#else

CpuidRegisters read_registers() noexcept {
  return {};
}

#endif

}  // namespace

CpuFeatures CpuFeatures::from_registers(const CpuidRegisters& r) noexcept {
  const bool osxsave = has_bit(r.leaf1_ecx, 27);
  const bool os_saves_ymm = osxsave && (r.xcr0 & kXmmAndYmmState) == kXmmAndYmmState;
  const bool os_saves_zmm = osxsave && (r.xcr0 & kAvx512State) == kAvx512State;

  CpuFeatures features;
  features.sse2 = has_bit(r.leaf1_edx, 26);
  features.ssse3 = has_bit(r.leaf1_ecx, 9);
  features.sse41 = features.ssse3 && has_bit(r.leaf1_ecx, 19);
  features.aes = features.sse41 && has_bit(r.leaf1_ecx, 25);
  features.pclmulqdq = features.sse41 && has_bit(r.leaf1_ecx, 1);
  features.sha = features.sse41 && has_bit(r.leaf7_ebx, 29);

  const bool avx = os_saves_ymm && has_bit(r.leaf1_ecx, 28);
  features.avx2 = avx && has_bit(r.leaf7_ebx, 5);
  features.vaes = features.avx2 && features.aes && has_bit(r.leaf7_ecx, 9);
  features.vpclmulqdq = features.avx2 && features.pclmulqdq && has_bit(r.leaf7_ecx, 10);

  const bool f = has_bit(r.leaf7_ebx, 16);
  const bool dq = has_bit(r.leaf7_ebx, 17);
  const bool bw = has_bit(r.leaf7_ebx, 30);
  const bool vl = has_bit(r.leaf7_ebx, 31);
  features.avx512 = features.avx2 && os_saves_zmm && f && dq && bw && vl;
  return features;
}

const CpuFeatures& CpuFeatures::host() noexcept {
  static const CpuFeatures features = from_registers(read_registers());
  return features;
}

}  // namespace runnel::crypto
