#include "core/crypto/cpu_features.h"

#include <gtest/gtest.h>

#include "core/crypto/aes_ctr.h"
#include "core/crypto/aes_gcm.h"
#include "core/crypto/hmac_sha1.h"
#include "core/crypto/xor.h"

namespace runnel::crypto {
namespace {

constexpr std::uint32_t bit(unsigned index) {
  return std::uint32_t{1} << index;
}

// CPUID leaf 1, ECX.
constexpr std::uint32_t kPclmulqdq = bit(1), kSsse3 = bit(9), kSse41 = bit(19), kAes = bit(25),
                        kOsxsave = bit(27), kAvx = bit(28);
// Leaf 1, EDX.
constexpr std::uint32_t kSse2 = bit(26);
// Leaf 7, EBX.
constexpr std::uint32_t kAvx2 = bit(5), kAvx512F = bit(16), kAvx512Dq = bit(17), kSha = bit(29),
                        kAvx512Bw = bit(30), kAvx512Vl = bit(31);
// Leaf 7, ECX.
constexpr std::uint32_t kVaes = bit(9), kVpclmulqdq = bit(10);

CpuidRegisters everything() {
  CpuidRegisters registers;
  registers.leaf1_ecx = kPclmulqdq | kSsse3 | kSse41 | kAes | kOsxsave | kAvx;
  registers.leaf1_edx = kSse2;
  registers.leaf7_ebx = kAvx2 | kAvx512F | kAvx512Dq | kSha | kAvx512Bw | kAvx512Vl;
  registers.leaf7_ecx = kVaes | kVpclmulqdq;
  registers.xcr0 = 0xe7;
  return registers;
}

TEST(CpuFeatures, AProcessorWithEverythingRunsEveryKernel) {
  const CpuFeatures cpu = CpuFeatures::from_registers(everything());
  EXPECT_TRUE(cpu.sse2 && cpu.ssse3 && cpu.sse41 && cpu.avx2 && cpu.aes && cpu.pclmulqdq &&
              cpu.sha && cpu.vaes && cpu.vpclmulqdq && cpu.avx512);
  for (const auto kernel : kXorKernels) EXPECT_TRUE(is_supported(kernel, cpu));
#if defined(__x86_64__)
  for (const auto kernel : kAesCtrKernels) EXPECT_TRUE(is_supported(kernel, cpu));
  for (const auto kernel : kHmacSha1Kernels) EXPECT_TRUE(is_supported(kernel, cpu));
#endif
  EXPECT_EQ(best_aes_ctr_kernel(cpu), AesCtrKernel::vaes_avx512);
  EXPECT_EQ(best_aes_gcm_kernel(cpu), AesGcmKernel::vaes_avx512);
  EXPECT_EQ(best_xor_kernel(cpu), XorKernel::avx512);
}

TEST(CpuFeatures, AProcessorWithNothingRunsThePortableKernels) {
  const CpuFeatures cpu = CpuFeatures::from_registers({});
  EXPECT_EQ(best_aes_ctr_kernel(cpu), AesCtrKernel::openssl);
  EXPECT_EQ(best_aes_gcm_kernel(cpu), AesGcmKernel::openssl);
  EXPECT_EQ(best_xor_kernel(cpu), XorKernel::portable);
  EXPECT_TRUE(is_supported(HmacSha1Kernel::openssl, cpu));
  EXPECT_FALSE(is_supported(HmacSha1Kernel::sha_ni, cpu));
  EXPECT_FALSE(is_supported(HmacSha1Kernel::avx512, cpu));
}

TEST(CpuFeatures, WithoutXgetbvNoWideRegisterIsUsed) {
  CpuidRegisters registers = everything();
  registers.leaf1_ecx &= ~kOsxsave;
  const CpuFeatures cpu = CpuFeatures::from_registers(registers);
  EXPECT_FALSE(cpu.avx2 || cpu.vaes || cpu.vpclmulqdq || cpu.avx512);
  EXPECT_EQ(best_aes_ctr_kernel(cpu), AesCtrKernel::aesni);
  EXPECT_EQ(best_xor_kernel(cpu), XorKernel::sse2);
  EXPECT_FALSE(is_supported(HmacSha1Kernel::avx512, cpu));
  EXPECT_FALSE(is_supported(AesGcmKernel::vaes_avx512, cpu));
}

TEST(CpuFeatures, AnOperatingSystemThatSavesOnlyYmmGetsNoAvx512) {
  CpuidRegisters registers = everything();
  registers.xcr0 = 0x07;
  const CpuFeatures cpu = CpuFeatures::from_registers(registers);
  EXPECT_TRUE(cpu.avx2 && cpu.vaes);
  EXPECT_FALSE(cpu.avx512);
  EXPECT_EQ(best_aes_ctr_kernel(cpu), AesCtrKernel::vaes_avx2);
  EXPECT_EQ(best_xor_kernel(cpu), XorKernel::avx2);
}

TEST(CpuFeatures, EveryRegisterFileOfAvx512MustBeSaved) {
  for (const unsigned missing : {1u, 2u, 5u, 6u, 7u}) {
    CpuidRegisters registers = everything();
    registers.xcr0 &= ~std::uint64_t{bit(missing)};
    EXPECT_FALSE(CpuFeatures::from_registers(registers).avx512) << "XCR0 bit " << missing;
  }
}

TEST(CpuFeatures, Avx512IsAllOfItsParts) {
  for (const std::uint32_t missing : {kAvx512F, kAvx512Dq, kAvx512Bw, kAvx512Vl, kAvx2}) {
    CpuidRegisters registers = everything();
    registers.leaf7_ebx &= ~missing;
    EXPECT_FALSE(CpuFeatures::from_registers(registers).avx512) << missing;
  }
}

TEST(CpuFeatures, VaesNeedsAesAndAvx2) {
  CpuidRegisters without_aes = everything();
  without_aes.leaf1_ecx &= ~kAes;
  EXPECT_FALSE(CpuFeatures::from_registers(without_aes).vaes);
  CpuidRegisters without_avx = everything();
  without_avx.leaf1_ecx &= ~kAvx;
  EXPECT_FALSE(CpuFeatures::from_registers(without_avx).vaes);
  CpuidRegisters without_vaes = everything();
  without_vaes.leaf7_ecx &= ~kVaes;
  EXPECT_EQ(best_aes_ctr_kernel(CpuFeatures::from_registers(without_vaes)), AesCtrKernel::aesni);
}

TEST(CpuFeatures, TheGcmKernelNeedsBothVectorExtensions) {
  for (const std::uint32_t missing : {kVaes, kVpclmulqdq}) {
    CpuidRegisters registers = everything();
    registers.leaf7_ecx &= ~missing;
    EXPECT_EQ(best_aes_gcm_kernel(CpuFeatures::from_registers(registers)), AesGcmKernel::openssl);
  }
}

TEST(CpuFeatures, TheInstructionsBesideAesNiAndShaNiAreAskedForToo) {
  CpuidRegisters registers = everything();
  registers.leaf1_ecx &= ~kSse41;
  const CpuFeatures cpu = CpuFeatures::from_registers(registers);
  EXPECT_FALSE(cpu.aes || cpu.sha || cpu.pclmulqdq);
}

TEST(CpuFeatures, TheHostIsAskedOnce) {
  EXPECT_EQ(&CpuFeatures::host(), &CpuFeatures::host());
}

}  // namespace
}  // namespace runnel::crypto
