// HMAC-SHA1 (RFC 2104) for many packets at once: the inner and outer states are computed once per
// key.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/base/bytes.h"
#include "core/crypto/cpu_features.h"

namespace runnel::crypto {

enum class HmacSha1Kernel : std::uint8_t {
  openssl,  // OpenSSL's block function, one message after the other
  sha_ni,   // SHA-NI, up to four messages interleaved
  avx512,   // sixteen messages, one per 32-bit lane
};
inline constexpr std::array kHmacSha1Kernels{HmacSha1Kernel::openssl, HmacSha1Kernel::sha_ni,
                                             HmacSha1Kernel::avx512};

[[nodiscard]] std::string_view to_string(HmacSha1Kernel kernel) noexcept;
[[nodiscard]] bool is_supported(HmacSha1Kernel kernel,
                                const CpuFeatures& cpu = CpuFeatures::host()) noexcept;

inline constexpr std::size_t kSha1DigestSize = 20;

/// A key as two SHA-1 states (after the inner and the outer padding). Move-only, wiped on
/// destruction.
class HmacSha1Key {
 public:
  /// Keys longer than 64 bytes are hashed first, as RFC 2104 says.
  explicit HmacSha1Key(ByteView key) noexcept;
  HmacSha1Key(HmacSha1Key&&) noexcept;
  HmacSha1Key& operator=(HmacSha1Key&&) noexcept;
  HmacSha1Key(const HmacSha1Key&) = delete;
  HmacSha1Key& operator=(const HmacSha1Key&) = delete;
  ~HmacSha1Key();

  [[nodiscard]] const std::array<std::uint32_t, 5>& inner() const noexcept { return inner_; }
  [[nodiscard]] const std::array<std::uint32_t, 5>& outer() const noexcept { return outer_; }

 private:
  std::array<std::uint32_t, 5> inner_;
  std::array<std::uint32_t, 5> outer_;
};

/// One message to authenticate. Everything is borrowed for the duration of the call.
struct HmacSha1Job {
  const HmacSha1Key* key = nullptr;
  ByteView message;
  std::array<std::uint8_t, kSha1DigestSize>* digest = nullptr;  // out
};

/// Computes all digests. Jobs may be of any keys and lengths; results do not depend on order or
/// grouping. The overload without a kernel picks what is fastest for the number of jobs. No
/// allocation.
void hmac_sha1(std::span<const HmacSha1Job> jobs) noexcept;
void hmac_sha1(std::span<const HmacSha1Job> jobs, HmacSha1Kernel kernel) noexcept;

}  // namespace runnel::crypto
