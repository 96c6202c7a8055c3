// RTP or RTCP: the two kinds of packets that SRTP treats differently.
#pragma once

#include <cstdint>

namespace runnel::srtp {

/// What a packet is, where the caller knows it already.
enum class PacketKind : std::uint8_t { rtp, rtcp };

}  // namespace runnel::srtp
