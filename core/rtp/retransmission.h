// Retransmissions as a stream of their own (RFC 4588): original packets inside of others.
#pragma once

#include <cstdint>
#include <cstring>
#include <optional>

#include "core/base/bytes.h"
#include "core/rtp/rtp_packet.h"

namespace runnel::rtp {

/// The original sequence number, before the original payload (RFC 4588 §4).
inline constexpr std::size_t kOriginalNumberSize = 2;

/// What the payload of a retransmission holds. nullopt for one that repeats nothing: padding alone,
/// by which senders probe for bandwidth, or no payload behind the original number.
struct Retransmission {
  std::uint16_t original_sequence_number = 0;
  ByteView payload;  // never empty; borrows
};
[[nodiscard]] inline std::optional<Retransmission> parse_retransmission(
    const RtpPacketView& packet) noexcept {
  const ByteView payload = packet.payload();
  if (payload.size() <= kOriginalNumberSize) return std::nullopt;
  return Retransmission{load_be16(payload.data()), payload.subspan(kOriginalNumberSize)};
}

/// Turns a retransmission, of which `parse_retransmission` has found the content, into the packet
/// that it repeats, in the same bytes: the header moves over the original number. Header extensions
/// and padding stay. `header_size` is that of the whole header.
[[nodiscard]] inline ByteSpan unwrap_retransmission(ByteSpan packet, std::size_t header_size,
                                                    std::uint32_t media_ssrc,
                                                    std::uint8_t media_payload_type) noexcept {
  const std::uint16_t number = load_be16(packet.data() + header_size);
  std::memmove(packet.data() + kOriginalNumberSize, packet.data(), header_size);
  const ByteSpan original = packet.subspan(kOriginalNumberSize);
  set_payload_type(original, media_payload_type);
  set_sequence_number(original, number);
  set_ssrc(original, media_ssrc);
  return original;
}

/// Writes the payload of a retransmission and answers its size; 0 when it does not fit. `payload`
/// is the original one, with its padding if its header says that it has some; the header of the
/// retransmission is the original one with the SSRC, payload type and sequence number of the
/// retransmission stream, and the original timestamp and marker (RFC 4588 §4).
[[nodiscard]] inline std::size_t write_retransmission_payload(
    std::uint16_t original_sequence_number, ByteView payload, ByteSpan out) noexcept {
  const std::size_t size = kOriginalNumberSize + payload.size();
  if (size > out.size()) return 0;
  store_be16(out.data(), original_sequence_number);
  copy_bytes(out.subspan(kOriginalNumberSize), payload);
  return size;
}

}  // namespace runnel::rtp
