#include "core/relay/outgoing_packet.h"

namespace runnel::relay {
namespace {

constexpr std::uint8_t kPaddingBit = 0x20;
constexpr std::uint8_t kExtensionBit = 0x10;
constexpr std::uint8_t kContributingSources = 0x0f;

/// For what a peer has sent: its header extensions mean something to that peer alone, and by
/// padding it measures its path.
std::size_t copy_without_extension(ByteView header, ByteSpan slot) noexcept {
  const std::size_t size =
      rtp::kFixedHeaderSize + 4 * static_cast<std::size_t>(header[0] & kContributingSources);
  copy_bytes(slot.first(size), header.first(size));
  slot[0] = static_cast<std::uint8_t>(slot[0] & ~(kExtensionBit | kPaddingBit));
  return size;
}

std::size_t write_header_to_peer(EngineState& state, const ReceiverTrack& receiver,
                                 const ClearPacket& packet, const rtp::OutgoingFields& fields,
                                 ByteSpan slot) noexcept {
  const rtp::ExtensionRewriter& writer = receiver.webrtc->headers;
  rtp::ExtensionStamps stamps{.absolute_send_time = rtp::absolute_send_time(state.now)};
  if (writer.numbers_packets()) {
    stamps.transport_wide_number = state.links[*receiver.link].next_transport_wide_number++;
  }
  const std::size_t size =
      writer.write(packet.bytes.first(packet.header_size), packet.extensions, fields, stamps, slot);
  slot[0] = static_cast<std::uint8_t>(slot[0] & ~kPaddingBit);
  return size;
}

/// Without padding, if either of the two is a peer.
WrittenPacket write_unchanged_payload(EngineState& state, const ReceiverTrack& receiver,
                                      const ClearPacket& packet, const rtp::OutgoingFields& fields,
                                      ByteSpan slot) noexcept {
  if (!receiver.webrtc && !packet.is_of_peer) return copy_packet(packet, fields, slot);
  const ByteView payload = packet.bytes.subspan(packet.header_size, packet.payload_size);
  if (receiver.webrtc) {
    return {write_header_to_peer(state, receiver, packet, fields, slot), payload};
  }
  const std::size_t size = copy_without_extension(packet.bytes.first(packet.header_size), slot);
  rtp::set_fields(slot, fields);
  return {size, payload};
}

}  // namespace

WrittenPacket write_packet(EngineState& state, const ReceiverTrack& receiver,
                           const ClearPacket& packet, const rtp::OutgoingFields& fields,
                           const frames::PictureOffsets& pictures, ByteSpan slot) noexcept {
  WrittenPacket written = write_unchanged_payload(state, receiver, packet, fields, slot);
  if (pictures.empty() || packet.picture_ids.size == 0) return written;
  const ByteSpan copy = slot.subspan(written.header_size, written.payload.size());
  copy_bytes(copy, written.payload);
  frames::rewrite_picture_ids(copy, packet.picture_ids, pictures);
  written.payload = copy;
  return written;
}

}  // namespace runnel::relay
