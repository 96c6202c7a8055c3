#include "core/relay/media_delivery.h"

#include "core/relay/outgoing_identity.h"
#include "core/rtp/rtp_packet.h"

namespace runnel::relay {
namespace {

/// Why a receiver gets nothing now.
std::optional<DropReason> obstacle(const ReceiverTrack& receiver) noexcept {
  if (receiver.paused) return DropReason::paused;
  if (!receiver.rtp_destination && !receiver.channel) return DropReason::no_destination;
  if (receiver.key_expired) return DropReason::key_expired;
  return std::nullopt;
}

void deliver_packet(ReceiverTrack& receiver, const ClearPacket& packet, Outbox& outbox,
                    Sealer& sealer) noexcept {
  const auto sequence_number = receiver.sequence.translate(packet.place.position);
  if (!sequence_number) {
    receiver.drops.add(DropReason::too_old);
    return;
  }
  const ByteSpan header = outbox.next_slot().first(packet.header_size);
  copy_bytes(header, packet.bytes.first(packet.header_size));
  rtp::set_payload_type(header, receiver.payload_type);
  rtp::set_sequence_number(header, *sequence_number);
  rtp::set_timestamp(header, {packet.place.timestamp.value + receiver.timestamp_offset});
  rtp::set_ssrc(header, receiver.ssrc);
  ++receiver.packets;
  ++receiver.packet_count;
  receiver.octet_count += packet.payload_size;
  sealer.add({.owner = DatagramOwner::receiver(receiver.index),
              .sender = receiver.sender ? &*receiver.sender : nullptr,
              .kind = srtp::PacketKind::rtp,
              .port = receiver.ports.rtp,
              .destination = receiver.rtp_destination.value_or(SocketAddress{}),
              .channel = receiver.channel,
              .medium = static_cast<std::uint8_t>(receiver.id.medium),
              .header_size = packet.header_size,
              .payload = packet.bytes.subspan(packet.header_size)});
}

/// False when the outbox is full before the receiver has got everything.
bool deliver_to(EngineState& state, ReceiverTrack& receiver, std::uint32_t track, Outbox& outbox,
                Sealer& sealer) noexcept {
  BurstCursor& cursor = state.burst_cursor;
  if (!cursor.in_receiver) {
    if (const auto reason = obstacle(receiver)) {
      receiver.drops.add(*reason, state.burst.count(track));
      receiver.sequence.pause();
      return true;
    }
    // What is parted over two outboxes cannot leave as one run.
    if (state.burst.count(track) > outbox.room() && !outbox.empty()) return false;
    cursor.packet = state.burst.first(track);
    cursor.in_receiver = true;
    if (!receiver.sequence.running()) {
      begin_or_resume(state, receiver, state.burst.packet(cursor.packet).place.position);
    }
  }
  while (cursor.packet != Burst::kEnd) {
    if (outbox.full()) return false;
    deliver_packet(receiver, state.burst.packet(cursor.packet), outbox, sealer);
    cursor.packet = state.burst.next(cursor.packet);
  }
  cursor.in_receiver = false;
  return true;
}

}  // namespace

void deliver_media(EngineState& state, Outbox& outbox, Sealer& sealer) noexcept {
  BurstCursor& cursor = state.burst_cursor;
  const auto tracks = state.burst.tracks();
  for (; cursor.track < tracks.size(); ++cursor.track, cursor.receiver = 0) {
    const std::uint32_t track = tracks[cursor.track];
    const std::vector<std::uint32_t>& receivers = state.tracks[track].receivers;
    for (; cursor.receiver < receivers.size(); ++cursor.receiver) {
      if (!deliver_to(state, state.receivers[receivers[cursor.receiver]], track, outbox, sealer)) {
        return;
      }
    }
  }
  state.burst.clear();
  cursor = {};
}

}  // namespace runnel::relay
