// AES in counter mode as SRTP uses it: keystream and XOR in one pass, any key at hand, no OpenSSL
// call per packet.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "core/base/bytes.h"
#include "core/crypto/cpu_features.h"

namespace runnel::crypto {

/// The kernels, from the most portable to the fastest.
enum class AesCtrKernel : std::uint8_t {
  openssl,      // OpenSSL makes the keystream, our XOR kernel applies it
  aesni,        // 8 blocks interleaved
  vaes_avx2,    // 256-bit VAES
  vaes_avx512,  // 512-bit VAES
};
inline constexpr std::array kAesCtrKernels{AesCtrKernel::openssl, AesCtrKernel::aesni,
                                           AesCtrKernel::vaes_avx2, AesCtrKernel::vaes_avx512};

[[nodiscard]] std::string_view to_string(AesCtrKernel kernel) noexcept;
[[nodiscard]] bool is_supported(AesCtrKernel kernel,
                                const CpuFeatures& cpu = CpuFeatures::host()) noexcept;
/// The fastest kernel that this machine supports.
[[nodiscard]] AesCtrKernel best_aes_ctr_kernel(
    const CpuFeatures& cpu = CpuFeatures::host()) noexcept;

/// The first counter block: 16 bytes, big-endian. It counts up over all 128 bits. Fill it with
/// stores of 8 or 16 bytes just before `apply`: narrower ones stall the loads, for longer than 160
/// bytes take to encrypt.
using CounterBlock = std::array<std::uint8_t, 16>;

/// One AES key with its expanded schedule. Move-only; the schedule is wiped on destruction. `apply`
/// of one object must not run in two threads at once.
class AesCtr {
 public:
  /// `key` has 16 or 32 bytes (anything else is a bug and aborts); `kernel` must be supported.
  explicit AesCtr(ByteView key, AesCtrKernel kernel = best_aes_ctr_kernel());
  AesCtr(AesCtr&&) noexcept;
  AesCtr& operator=(AesCtr&&) noexcept;
  ~AesCtr();

  /// out = in XOR keystream, for `in.size()` bytes. `out` is at least as long as `in` and either
  /// starts at exactly the same address or does not overlap it. Never reads or writes outside of
  /// the two. Encryption and decryption alike.
  void apply(const CounterBlock& counter, ByteView in, std::uint8_t* out) const noexcept;

  [[nodiscard]] AesCtrKernel kernel() const noexcept;

 private:
  struct State;  // owned, on the heap and 64-byte aligned, so that moving is cheap and the schedule
                 // has one place
  State* state_;
};

}  // namespace runnel::crypto
