// Views of bytes, and big-endian ("network order") loads and stores.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace runnel {

/// Bytes to look at. Borrowed: valid only as long as the owner says.
using ByteView = std::span<const std::uint8_t>;
/// Bytes to change. Borrowed as well.
using ByteSpan = std::span<std::uint8_t>;

/// Loads and stores of integers in network order. The caller guarantees that the bytes are there.
[[nodiscard]] inline std::uint16_t load_be16(const std::uint8_t* p) noexcept {
  return static_cast<std::uint16_t>((p[0] << 8) | p[1]);
}
[[nodiscard]] inline std::uint32_t load_be24(const std::uint8_t* p) noexcept {
  return (std::uint32_t{p[0]} << 16) | (std::uint32_t{p[1]} << 8) | p[2];
}
[[nodiscard]] inline std::uint32_t load_be32(const std::uint8_t* p) noexcept {
  return (std::uint32_t{load_be16(p)} << 16) | load_be16(p + 2);
}
[[nodiscard]] inline std::uint64_t load_be64(const std::uint8_t* p) noexcept {
  return (std::uint64_t{load_be32(p)} << 32) | load_be32(p + 4);
}
// Each store is one instruction: bytes stored one by one and then loaded as a word (an IV, say)
// would stall the processor.
inline void store_be16(std::uint8_t* p, std::uint16_t value) noexcept {
  if constexpr (std::endian::native == std::endian::little) value = std::byteswap(value);
  std::memcpy(p, &value, sizeof value);
}
inline void store_be24(std::uint8_t* p, std::uint32_t value) noexcept {
  p[0] = static_cast<std::uint8_t>(value >> 16);
  p[1] = static_cast<std::uint8_t>(value >> 8);
  p[2] = static_cast<std::uint8_t>(value);
}
inline void store_be32(std::uint8_t* p, std::uint32_t value) noexcept {
  if constexpr (std::endian::native == std::endian::little) value = std::byteswap(value);
  std::memcpy(p, &value, sizeof value);
}
inline void store_be64(std::uint8_t* p, std::uint64_t value) noexcept {
  if constexpr (std::endian::native == std::endian::little) value = std::byteswap(value);
  std::memcpy(p, &value, sizeof value);
}

/// Copies `from` to the front of `to`; `to` must be at least as long. Overlap is not allowed.
inline void copy_bytes(ByteSpan to, ByteView from) noexcept {
  if (!from.empty()) std::memcpy(to.data(), from.data(), from.size());
}

}  // namespace runnel
