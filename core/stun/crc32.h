// The checksum of FINGERPRINT: CRC-32 of ITU-T V.42, as Ethernet and zip have it.
#pragma once

#include <cstdint>

#include "core/base/bytes.h"

namespace runnel::stun {

[[nodiscard]] std::uint32_t crc32(ByteView bytes) noexcept;

/// RFC 8489 §14.7: what FINGERPRINT says of the bytes that precede it.
[[nodiscard]] inline std::uint32_t fingerprint_of(ByteView preceding) noexcept {
  return crc32(preceding) ^ 0x5354554e;
}

}  // namespace runnel::stun
