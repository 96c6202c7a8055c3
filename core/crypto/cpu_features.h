// What this processor, and this operating system, let a kernel use.
#pragma once

namespace runnel::crypto {

/// Each flag is true only when CPUID reports the instructions **and** XGETBV says that the
/// operating system saves the registers they use.
struct CpuFeatures {
  bool sse2 = false;
  bool ssse3 = false;
  bool sse41 = false;
  bool avx2 = false;
  bool aes = false;  // AES-NI, with SSE4.1
  bool pclmulqdq = false;
  bool sha = false;         // SHA-NI
  bool vaes = false;        // on 256-bit registers
  bool vpclmulqdq = false;  // on 256-bit registers
  bool avx512 = false;      // F, BW, DQ and VL together, and the full register state enabled

  /// The machine's features; asked once, then remembered.
  [[nodiscard]] static const CpuFeatures& host() noexcept;
};

}  // namespace runnel::crypto
