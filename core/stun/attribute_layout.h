// The byte layout that reader and writer of attributes share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/base/bytes.h"
#include "core/stun/message.h"

namespace runnel::stun {

inline constexpr std::size_t kAttributeHeaderSize = 4;
inline constexpr std::size_t kFingerprintSize = 4;

/// Values are padded to a multiple of four bytes (RFC 8489 §14).
[[nodiscard]] constexpr std::size_t padded_size(std::size_t size) noexcept {
  return (size + 3) & ~std::size_t{3};
}

//   0                   1                   2                   3
//   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//  |0 0 0 0 0 0 0 0|    family     |         port, XORed           |
//  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//  |   address, 32 or 128 bits, XORed ...

/// XOR-MAPPED-ADDRESS (RFC 8489 §14.2).
inline constexpr std::uint8_t kFamilyIpv4 = 1;
inline constexpr std::uint8_t kFamilyIpv6 = 2;
inline constexpr std::size_t kIpv4ValueSize = 8;
inline constexpr std::size_t kIpv6ValueSize = 20;

/// The address is XORed with the magic cookie and, where it is longer, the transaction id.
inline void xor_with_header(ByteSpan address, const TransactionId& transaction_id) noexcept {
  std::array<std::uint8_t, 16> mask;
  store_be32(mask.data(), kMagicCookie);
  copy_bytes(ByteSpan(mask).subspan(4), transaction_id);
  for (std::size_t i = 0; i < address.size(); ++i) address[i] ^= mask[i];
}
inline constexpr auto kPortMask = static_cast<std::uint16_t>(kMagicCookie >> 16);

/// ERROR-CODE (RFC 8489 §14.8): 21 zero bits, the hundreds, the rest, and the reason phrase.
inline constexpr std::size_t kErrorHeaderSize = 4;

}  // namespace runnel::stun
