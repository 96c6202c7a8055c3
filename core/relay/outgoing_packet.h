// A source's packet as one receiver gets it.
#pragma once

#include "core/relay/engine_state.h"
#include "core/relay/sealer.h"
#include "core/rtp/rtp_packet.h"

namespace runnel::relay {

/// What is written of a packet into the outbox's next slot: the header, and the payload too where
/// it had to be changed.
struct WrittenPacket {
  std::size_t header_size = 0;
  ByteView payload;
};

/// Translates `packet` for the receiver, whatever the two are. `fields.timestamp` is that on the
/// packet's line.
[[nodiscard]] WrittenPacket write_packet(EngineState& state, const ReceiverTrack& receiver,
                                         const ClearPacket& packet,
                                         const rtp::OutgoingFields& fields,
                                         const frames::PictureOffsets& pictures,
                                         ByteSpan slot) noexcept;

/// Whether nothing but the fixed fields differs for this receiver: neither of the two is a peer,
/// and its pictures need no other numbers.
[[nodiscard]] inline bool goes_as_it_came(const ReceiverTrack& receiver, const ClearPacket& packet,
                                          const frames::PictureOffsets& pictures) noexcept {
  return !receiver.webrtc && !packet.is_of_peer &&
         (packet.picture_ids.size == 0 || pictures.empty());
}
/// `write_packet` of such a packet. Inline, since a relay between cameras and recorders has no
/// others, and each costs a few nanoseconds besides its encryption.
[[nodiscard]] inline WrittenPacket copy_packet(const ClearPacket& packet,
                                               const rtp::OutgoingFields& fields,
                                               ByteSpan slot) noexcept {
  // Most headers are no longer than the fixed one, and a copy of a fixed size costs next to
  // nothing.
  copy_bytes(slot.first<rtp::kFixedHeaderSize>(), packet.bytes.first<rtp::kFixedHeaderSize>());
  const std::size_t more = packet.header_size - rtp::kFixedHeaderSize;
  copy_bytes(slot.subspan(rtp::kFixedHeaderSize, more),
             packet.bytes.subspan(rtp::kFixedHeaderSize, more));
  rtp::set_fields(slot, fields);
  return {packet.header_size, packet.bytes.subspan(packet.header_size)};
}

/// Hands it to the sealer.
inline void send_packet(ReceiverTrack& receiver, const WrittenPacket& written,
                        Sealer& sealer) noexcept {
  sealer.add({.owner = DatagramOwner::receiver(receiver.index),
              .sender = receiver.present_sender(),
              .kind = srtp::PacketKind::rtp,
              .port = receiver.ports.rtp,
              .destination = receiver.rtp_destination.value_or(SocketAddress{}),
              .channel = receiver.channel,
              .medium = static_cast<std::uint8_t>(receiver.id.medium),
              .header_size = written.header_size,
              .payload = written.payload});
}

}  // namespace runnel::relay
