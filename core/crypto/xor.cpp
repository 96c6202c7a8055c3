#include "core/crypto/xor.h"

namespace runnel::crypto {
namespace {

std::uint64_t load64(const std::uint8_t* p) noexcept {
  std::uint64_t word;
  std::memcpy(&word, p, sizeof word);
  return word;
}

void store64(std::uint8_t* p, std::uint64_t word) noexcept {
  std::memcpy(p, &word, sizeof word);
}

void xor_portable(const std::uint8_t* a, const std::uint8_t* b, std::uint8_t* out,
                  std::size_t size) noexcept {
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8) store64(out + i, load64(a + i) ^ load64(b + i));
  for (; i < size; ++i) out[i] = a[i] ^ b[i];
}

void mask_portable(std::uint8_t* data, std::size_t size,
                   const std::array<std::uint8_t, 8>& key) noexcept {
  std::uint64_t word = load64(key.data());
  std::size_t i = 0;
  for (; i + 8 <= size; i += 8) store64(data + i, load64(data + i) ^ word);
  for (; i < size; ++i) data[i] ^= key[i % 8];
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
  return "unknown";
}

bool is_supported(XorKernel kernel, const CpuFeatures&) noexcept {
  return kernel == XorKernel::portable;
}

XorKernel best_xor_kernel(const CpuFeatures& cpu) noexcept {
  XorKernel best = XorKernel::portable;
  for (const XorKernel kernel : kXorKernels) {
    if (is_supported(kernel, cpu)) best = kernel;
  }
  return best;
}

void xor_bytes(ByteView a, ByteView b, std::uint8_t* out, XorKernel) noexcept {
  xor_portable(a.data(), b.data(), out, a.size());
}

void xor_masking_key(ByteSpan data, const MaskingKey& key, std::size_t phase, XorKernel) noexcept {
  std::array<std::uint8_t, 8> turned;
  for (std::size_t i = 0; i < turned.size(); ++i) turned[i] = key[(phase + i) % 4];
  mask_portable(data.data(), data.size(), turned);
}

}  // namespace runnel::crypto
