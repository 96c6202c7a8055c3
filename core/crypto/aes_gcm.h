// AES-GCM (NIST SP 800-38D) with a 12-byte IV and a 16-byte tag, the only form that SRTP uses (RFC
// 7714).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/bytes.h"
#include "core/crypto/cpu_features.h"

namespace runnel::crypto {

enum class AesGcmKernel : std::uint8_t {
  openssl,      // OpenSSL with a kept context
  vaes_avx512,  // VAES and VPCLMULQDQ on 512-bit registers, encryption and hash in one pass
};
inline constexpr std::array kAesGcmKernels{AesGcmKernel::openssl, AesGcmKernel::vaes_avx512};

[[nodiscard]] std::string_view to_string(AesGcmKernel kernel) noexcept;
[[nodiscard]] bool is_supported(AesGcmKernel kernel,
                                const CpuFeatures& cpu = CpuFeatures::host()) noexcept;
/// The fastest kernel that this machine supports.
[[nodiscard]] AesGcmKernel best_aes_gcm_kernel(
    const CpuFeatures& cpu = CpuFeatures::host()) noexcept;

inline constexpr std::size_t kGcmTagSize = 16;
using GcmIv = std::array<std::uint8_t, 12>;

/// One AES-128 or AES-256 key, kept ready. Move-only, wiped on destruction; one object must not be
/// used in two threads at once.
class AesGcm {
 public:
  /// `key` has 16 or 32 bytes (anything else is a bug and aborts); `kernel` must be supported.
  explicit AesGcm(ByteView key, AesGcmKernel kernel = best_aes_gcm_kernel());
  AesGcm(AesGcm&&) noexcept;
  AesGcm& operator=(AesGcm&&) noexcept;
  ~AesGcm();

  [[nodiscard]] AesGcmKernel kernel() const noexcept;

 private:
  friend void gcm_seal(std::span<const struct GcmSealJob> jobs) noexcept;
  friend void gcm_open(std::span<struct GcmOpenJob> jobs) noexcept;
  struct State;
  State* state_;
};

/// Encrypt `plaintext` to `ciphertext` (exactly the same address, or no overlap) and write the tag.
struct GcmSealJob {
  AesGcm* key = nullptr;
  GcmIv iv{};
  ByteView associated_data;
  ByteView plaintext;
  std::uint8_t* ciphertext = nullptr;  // out, plaintext.size() bytes
  std::uint8_t* tag = nullptr;         // out, kGcmTagSize bytes
};

/// Check the tag in constant time and decrypt. After a failure the content of `plaintext` is
/// undefined and must not be used; in place, the packet is lost.
struct GcmOpenJob {
  AesGcm* key = nullptr;
  GcmIv iv{};
  ByteView associated_data;
  ByteView ciphertext;
  const std::uint8_t* tag = nullptr;  // kGcmTagSize bytes
  std::uint8_t* plaintext = nullptr;  // out, ciphertext.size() bytes
  bool authentic = false;             // out
};

/// Batch calls, so that a kernel may work on several jobs at once. No allocation.
void gcm_seal(std::span<const GcmSealJob> jobs) noexcept;
void gcm_open(std::span<GcmOpenJob> jobs) noexcept;

}  // namespace runnel::crypto
