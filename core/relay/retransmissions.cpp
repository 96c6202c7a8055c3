#include "core/relay/retransmissions.h"

#include <cstring>

#include "core/relay/outgoing_packet.h"
#include "core/relay/picture_counters.h"
#include "core/rtp/retransmission.h"

namespace runnel::relay {
namespace {

void ask(EngineState& state, ReceiverTrack& receiver, std::uint16_t sequence_number) noexcept {
  ++receiver.nacked_packets;
  if (!receiver.webrtc || !receiver.webrtc->agreed.feedback.nack) return;
  if (!state.retransmissions.add({receiver.index, sequence_number})) {
    receiver.drops.add(DropReason::queue_full);
  }
}

/// Behind the header, where the payload lies already if it had to be changed.
ByteView insert_original_number(std::uint16_t number, const WrittenPacket& written,
                                ByteSpan slot) noexcept {
  const ByteSpan body =
      slot.subspan(written.header_size, rtp::kOriginalNumberSize + written.payload.size());
  std::memmove(body.data() + rtp::kOriginalNumberSize, written.payload.data(),
               written.payload.size());
  store_be16(body.data(), number);
  return body;
}

void send_again(EngineState& state, ReceiverTrack& receiver, std::uint16_t sequence_number,
                Outbox& outbox, Sealer& sealer) noexcept {
  WebRtcReceiver& webrtc = *receiver.webrtc;
  const auto origin = webrtc.history.find(sequence_number);
  if (!origin) return;
  const SourceTrack& track = state.tracks[origin->segment.track];
  const auto stored = track.sent.find(origin->position);
  if (!stored) return;
  const Duration round_trip = receiver.round_trip.value_or(Duration::zero());
  if (!webrtc.budget.spend(sequence_number, stored->bytes.size(), state.now, round_trip)) return;

  ClearPacket packet{.bytes = stored->bytes,
                     .header_size = stored->header_size,
                     .payload_size = stored->payload_size,
                     .place = stored->place,
                     .extensions = stored->extensions};
  if (!origin->segment.pictures.empty()) {
    packet.picture_ids = picture_ids_of(track.format, packet);
  }
  const bool has_own_stream = webrtc.agreed.retransmission_payload_type.has_value();
  const rtp::OutgoingFields fields{
      .payload_type = webrtc.agreed.retransmission_payload_type.value_or(receiver.payload_type),
      .sequence_number = has_own_stream ? webrtc.next_retransmission_number++ : sequence_number,
      .timestamp = {stored->place.timestamp.value + origin->segment.timestamp_offset},
      .ssrc = has_own_stream ? webrtc.retransmission_ssrc : receiver.ssrc};
  const ByteSpan slot = outbox.next_slot();
  WrittenPacket written =
      write_packet(state, receiver, packet, fields, origin->segment.pictures, slot);
  if (has_own_stream) {
    written.payload = insert_original_number(sequence_number, written, slot);
  }
  ++receiver.retransmitted_packets;
  send_packet(receiver, written, sealer);
}

}  // namespace

void take_nack(EngineState& state, ReceiverTrack& receiver,
               const rtp::RtcpPacketView& packet) noexcept {
  constexpr int kFollowing = 16;
  for (std::size_t i = 0; i < rtp::nack_entry_count(packet); ++i) {
    const rtp::NackEntry entry = rtp::nack_entry(packet, i);
    ask(state, receiver, entry.packet_id);
    for (int bit = 0; bit < kFollowing; ++bit) {
      if ((entry.lost_bitmask >> bit & 1) == 0) continue;
      ask(state, receiver, static_cast<std::uint16_t>(entry.packet_id + bit + 1));
    }
  }
}

void deliver_retransmissions(EngineState& state, Outbox& outbox, Sealer& sealer) noexcept {
  while (!outbox.full()) {
    const auto entry = state.retransmissions.next();
    if (!entry) return;
    if (!state.receivers.holds(entry->receiver)) continue;
    ReceiverTrack& receiver = state.receivers[entry->receiver];
    const bool can_be_sent = receiver.webrtc && receiver.rtp_destination && !receiver.paused;
    if (can_be_sent) send_again(state, receiver, entry->sequence_number, outbox, sealer);
  }
}

}  // namespace runnel::relay
