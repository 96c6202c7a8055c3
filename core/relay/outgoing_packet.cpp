#include "core/relay/outgoing_packet.h"

#include "core/rtp/rtp_packet.h"

namespace runnel::relay {
namespace {

constexpr std::uint8_t kPaddingBit = 0x20;
constexpr std::uint8_t kExtensionBit = 0x10;
constexpr std::uint8_t kContributingSources = 0x0f;

/// A source by a peer has header extensions that mean something to that peer alone, and padding by
/// which it measures its path.
bool is_of_peer(const EngineState& state, const ReceiverTrack& receiver) noexcept {
  return state.tracks[receiver.source].link.has_value();
}

/// The header as it came, but for what is translated.
std::size_t copy_header(ByteView header, ByteSpan slot) noexcept {
  copy_bytes(slot.first(header.size()), header);
  return header.size();
}

std::size_t copy_without_extension(ByteView header, ByteSpan slot) noexcept {
  const std::size_t size =
      rtp::kFixedHeaderSize + 4 * static_cast<std::size_t>(header[0] & kContributingSources);
  copy_bytes(slot.first(size), header.first(size));
  slot[0] = static_cast<std::uint8_t>(slot[0] & ~(kExtensionBit | kPaddingBit));
  return size;
}

void set_fields(const rtp::OutgoingFields& fields, ByteSpan header) noexcept {
  rtp::set_payload_type(header, fields.payload_type);
  rtp::set_sequence_number(header, fields.sequence_number);
  rtp::set_timestamp(header, fields.timestamp);
  rtp::set_ssrc(header, fields.ssrc);
}

std::size_t write_header(EngineState& state, const ReceiverTrack& receiver,
                         const ClearPacket& packet, const rtp::OutgoingFields& fields,
                         ByteSpan slot) noexcept {
  const ByteView header = packet.bytes.first(packet.header_size);
  if (receiver.webrtc) {
    const rtp::ExtensionRewriter& writer = receiver.webrtc->headers;
    rtp::ExtensionStamps stamps{.absolute_send_time = rtp::absolute_send_time(state.now)};
    if (writer.numbers_packets()) {
      stamps.transport_wide_number = state.links[*receiver.link].next_transport_wide_number++;
    }
    const std::size_t size = writer.write(header, packet.extensions, fields, stamps, slot);
    slot[0] = static_cast<std::uint8_t>(slot[0] & ~kPaddingBit);
    return size;
  }
  const std::size_t size = is_of_peer(state, receiver) ? copy_without_extension(header, slot)
                                                       : copy_header(header, slot);
  set_fields(fields, slot);
  return size;
}

}  // namespace

WrittenPacket write_packet(EngineState& state, const ReceiverTrack& receiver,
                           const ClearPacket& packet, const rtp::OutgoingFields& fields,
                           const frames::PictureOffsets& pictures, ByteSpan slot) noexcept {
  WrittenPacket written;
  written.header_size = write_header(state, receiver, packet, fields, slot);
  const bool keeps_padding = !receiver.webrtc && !is_of_peer(state, receiver);
  written.payload = packet.bytes.subspan(packet.header_size);
  if (!keeps_padding) written.payload = written.payload.first(packet.payload_size);
  if (!pictures.empty() && packet.picture_ids.size != 0) {
    const ByteSpan copy = slot.subspan(written.header_size, written.payload.size());
    copy_bytes(copy, written.payload);
    frames::rewrite_picture_ids(copy, packet.picture_ids, pictures);
    written.payload = copy;
  }
  return written;
}

void send_packet(ReceiverTrack& receiver, const WrittenPacket& written, Sealer& sealer) noexcept {
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
