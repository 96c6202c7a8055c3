// Tells STUN, DTLS, RTP and RTCP apart on one port by their first bytes (RFC 7983, RFC 5761).
#pragma once

#include <cstdint>

#include "core/base/bytes.h"

namespace runnel::rtp {

enum class PacketClass : std::uint8_t { rtp, rtcp, stun, dtls, other };

/// Whether the second byte of a version 2 packet makes it RTCP. The range 192 to 223 is kept free
/// of RTP, where it would be a marked packet of payload type 64 to 95 (RFC 5761 §4).
[[nodiscard]] constexpr bool is_rtcp_type(std::uint8_t second_byte) noexcept {
  return second_byte >= 192 && second_byte <= 223;
}

//              +----------------+
//              |        [0..3] -+--> STUN
//              |      [20..63] -+--> DTLS
//  first byte  |    [128..191] -+--> RTP, or RTCP by the second byte
//              +----------------+

/// Looks at the first two bytes only and accepts any length; `other` for everything that is none of
/// the four.
[[nodiscard]] inline PacketClass classify(ByteView datagram) noexcept {
  if (datagram.empty()) return PacketClass::other;
  const std::uint8_t first = datagram[0];
  if (first <= 3) return PacketClass::stun;
  if (first >= 20 && first <= 63) return PacketClass::dtls;
  if (first < 128 || first > 191 || datagram.size() < 2) return PacketClass::other;
  return is_rtcp_type(datagram[1]) ? PacketClass::rtcp : PacketClass::rtp;
}

}  // namespace runnel::rtp
