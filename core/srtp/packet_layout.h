// Where things lie in an SRTP and in an SRTCP packet.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/srtp/packet_kind.h"
#include "core/srtp/profile.h"

namespace runnel::srtp {

//  SRTP, RFC 3711 §3.1 and RFC 7714 §8.2
//  AES-CM  | header | encrypted payload | MKI | tag |
//  GCM     | header | encrypted payload | tag | MKI |
//
//  The HMAC of AES-CM covers header, payload and the rollover counter, which is not sent: while it
//  is computed the counter stands where the MKI or the tag will be, or has been.
//
//  SRTCP, RFC 3711 §3.4 and RFC 7714 §9.2
//  AES-CM  | 8 bytes of header | encrypted rest | E + index | MKI | tag |
//  GCM     | 8 bytes of header | encrypted rest | tag | E + index | MKI |
//
//  The E flag says whether the rest is encrypted. The authentication covers the word it stands in.

/// The part of a compound RTCP packet that stays in the clear: first header word and SSRC.
inline constexpr std::size_t kRtcpHeaderSize = 8;
inline constexpr std::size_t kRtcpSsrcOffset = 4;
inline constexpr std::size_t kRtpSequenceNumberOffset = 2;
inline constexpr std::size_t kRtpSsrcOffset = 8;

/// The rollover counter behind an SRTP packet; E flag and index behind an SRTCP packet.
inline constexpr std::size_t kIndexWordSize = 4;
inline constexpr std::uint32_t kEncryptedFlag = 0x8000'0000;

[[nodiscard]] constexpr std::size_t tag_size(const ProfileParameters& sizes,
                                             PacketKind kind) noexcept {
  return kind == PacketKind::rtp ? sizes.rtp_tag_size : sizes.rtcp_tag_size;
}
/// By how much protection lengthens a packet.
[[nodiscard]] constexpr std::size_t overhead(const ProfileParameters& sizes, PacketKind kind,
                                             std::size_t mki_size) noexcept {
  return tag_size(sizes, kind) + mki_size + (kind == PacketKind::rtcp ? kIndexWordSize : 0);
}

/// The version in the first two bits of either packet.
[[nodiscard]] constexpr bool is_version_2(std::uint8_t first_byte) noexcept {
  return (first_byte >> 6) == 2;
}

}  // namespace runnel::srtp
