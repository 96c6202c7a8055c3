// What this processor, and this operating system, let a kernel use.
#pragma once

#include <cstdint>

namespace runnel::crypto {

/// The registers that CPUID and XGETBV answer with, as far as kernels depend on them. All zero
/// where a leaf or an instruction does not exist.
struct CpuidRegisters {
  std::uint32_t leaf1_ecx = 0;
  std::uint32_t leaf1_edx = 0;
  std::uint32_t leaf7_ebx = 0;  // subleaf 0
  std::uint32_t leaf7_ecx = 0;
  std::uint64_t xcr0 = 0;  // which register files the operating system saves
};

/// Each flag is true only when CPUID reports the instructions **and** XGETBV says that the
/// operating system saves the registers they use.
struct CpuFeatures {
  bool sse2 = false;
  bool ssse3 = false;
  bool sse41 = false;
  bool avx2 = false;
  bool aes = false;  // AES-NI, with SSE4.1
  bool pclmulqdq = false;
  bool sha = false;         // SHA-NI, with SSE4.1
  bool vaes = false;        // on 256-bit registers
  bool vpclmulqdq = false;  // on 256-bit registers
  bool avx512 = false;      // F, BW, DQ and VL together, and the full register state enabled

  /// The machine's features; asked once, then remembered.
  [[nodiscard]] static const CpuFeatures& host() noexcept;
  /// What these registers mean.
  [[nodiscard]] static CpuFeatures from_registers(const CpuidRegisters& registers) noexcept;
};

}  // namespace runnel::crypto
