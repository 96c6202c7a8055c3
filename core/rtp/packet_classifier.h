// Tells STUN, DTLS, RTP and RTCP apart on one port by their first bytes (RFC 7983, RFC 5761).
#pragma once

#include <cstdint>

#include "core/base/bytes.h"

namespace runnel::rtp {

enum class PacketClass : std::uint8_t { rtp, rtcp, stun, dtls, other };

/// Looks at the first two bytes only and accepts any length; `other` for everything that is none of
/// the four. RTCP is what has version 2 and a second byte of 192 to 223 (RFC 5761 §4).
[[nodiscard]] PacketClass classify(ByteView datagram) noexcept;

}  // namespace runnel::rtp
