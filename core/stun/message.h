// The header of a STUN message (RFC 8489 §5).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace runnel::stun {

//   0                   1                   2                   3
//   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//  |0 0| method and class          | length of what follows 20     |
//  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//  |                 magic cookie 0x2112a442                       |
//  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//  |                 transaction id, 96 bits ...                   |
//  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//  | type of attribute             | length of value               |
//  +-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+-+
//  | value, padded to a multiple of 4 bytes ...

inline constexpr std::size_t kHeaderSize = 20;
inline constexpr std::uint32_t kMagicCookie = 0x2112a442;
/// Longer messages are refused. Checks have about 100 bytes, but some clients put a DTLS record
/// into them.
inline constexpr std::size_t kMaxMessageSize = 1500;
/// RFC 8489 §14.3.
inline constexpr std::size_t kMaxUsernameSize = 508;

enum class MessageClass : std::uint8_t {
  request = 0,
  indication = 1,
  success_response = 2,
  error_response = 3,
};

/// Twelve bits; of all methods only Binding is used here.
using Method = std::uint16_t;
inline constexpr Method kBinding = 1;

using TransactionId = std::array<std::uint8_t, 12>;

}  // namespace runnel::stun
