// XOR of byte strings: keystream onto data, and the WebSocket masking key onto a payload.
#pragma once

#include <array>
#include <string_view>

#include "core/base/bytes.h"
#include "core/crypto/cpu_features.h"

namespace runnel::crypto {

enum class XorKernel : std::uint8_t { portable, sse2, avx2, avx512 };
inline constexpr std::array kXorKernels{XorKernel::portable, XorKernel::sse2, XorKernel::avx2,
                                        XorKernel::avx512};

[[nodiscard]] std::string_view to_string(XorKernel kernel) noexcept;
[[nodiscard]] bool is_supported(XorKernel kernel,
                                const CpuFeatures& cpu = CpuFeatures::host()) noexcept;
[[nodiscard]] XorKernel best_xor_kernel(const CpuFeatures& cpu = CpuFeatures::host()) noexcept;

/// out[i] = a[i] XOR b[i] for a.size() bytes. `b` and `out` are at least as long as `a`. `out` may
/// start exactly where `a` or `b` starts; otherwise they do not overlap. Never touches a byte
/// outside. Without a kernel it takes the machine's best; a kernel that is named must be supported.
void xor_bytes(ByteView a, ByteView b, std::uint8_t* out) noexcept;
void xor_bytes(ByteView a, ByteView b, std::uint8_t* out, XorKernel kernel) noexcept;

/// A WebSocket masking key (RFC 6455 §5.3): its four bytes in wire order.
using MaskingKey = std::array<std::uint8_t, 4>;

/// Masks or unmasks in place. `phase` is the payload offset of data[0]; only its value modulo 4
/// matters, so a payload can be processed in pieces.
void xor_masking_key(ByteSpan data, const MaskingKey& key, std::size_t phase = 0) noexcept;
void xor_masking_key(ByteSpan data, const MaskingKey& key, std::size_t phase,
                     XorKernel kernel) noexcept;

}  // namespace runnel::crypto
