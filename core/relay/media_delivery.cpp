#include "core/relay/media_delivery.h"

#include <utility>

#include "core/relay/outgoing_identity.h"
#include "core/relay/outgoing_packet.h"

namespace runnel::relay {
namespace {

/// Why a receiver gets nothing now.
std::optional<DropReason> obstacle(const ReceiverTrack& receiver) noexcept {
  if (receiver.paused) return DropReason::paused;
  if (!receiver.rtp_destination && !receiver.channel) return DropReason::no_destination;
  if (receiver.key_expired) return DropReason::key_expired;
  return std::nullopt;
}

/// A receiver meets the first packet of another run, or goes on after an interruption.
void begin_run(ReceiverTrack& receiver, std::uint32_t track, const ClearPacket& packet,
               std::uint16_t sequence_number) noexcept {
  receiver.run = packet.run;
  if (packet.picture_ids.size != 0) receiver.pictures.begin(packet.picture_ids);
  if (!receiver.webrtc) return;
  receiver.webrtc->history.begin({.track = track,
                                  .timestamp_offset = receiver.timestamp_offset,
                                  .pictures = receiver.pictures.offsets()},
                                 packet.place.position, sequence_number);
}

void deliver_packet(EngineState& state, ReceiverTrack& receiver, std::uint32_t track,
                    const ClearPacket& packet, Outbox& outbox, Sealer& sealer) noexcept {
  const auto sequence_number = receiver.sequence.translate(packet.place.position);
  if (!sequence_number) {
    receiver.drops.add(DropReason::too_old);
    return;
  }
  if (receiver.run != packet.run) begin_run(receiver, track, packet, *sequence_number);
  const RtpTime timestamp{packet.place.timestamp.value + receiver.timestamp_offset};
  const WrittenPacket written = write_packet(state, receiver, packet,
                                             {.payload_type = receiver.payload_type,
                                              .sequence_number = *sequence_number,
                                              .timestamp = timestamp,
                                              .ssrc = receiver.ssrc},
                                             receiver.pictures.offsets(), outbox.next_slot());
  ++receiver.packets;
  ++receiver.packet_count;
  receiver.octet_count += packet.payload_size;
  receiver.newest_timestamp = timestamp;
  if (packet.picture_ids.size != 0) receiver.pictures.sent(packet.picture_ids);
  if (receiver.webrtc) {
    receiver.webrtc->history.sent(*sequence_number);
    receiver.webrtc->budget.sent(packet.bytes.size());
  }
  send_packet(receiver, written, sealer);
}

/// Who follows the track from a key frame in the middle of this burst gets nothing before it.
std::uint32_t first_packet_for(const EngineState& state, const ReceiverTrack& receiver,
                               std::uint32_t track) noexcept {
  std::uint32_t packet = state.burst.first(track);
  while (packet != Burst::kEnd &&
         state.burst.packet(packet).place.position < receiver.first_position) {
    packet = state.burst.next(packet);
  }
  return packet;
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
    cursor.packet = first_packet_for(state, receiver, track);
    if (cursor.packet == Burst::kEnd) return true;
    cursor.in_receiver = true;
    receiver.newest_sent = state.now;
    if (!receiver.sequence.running()) {
      begin_or_resume(state, receiver, state.burst.packet(cursor.packet).place.position);
    }
  }
  while (cursor.packet != Burst::kEnd) {
    if (outbox.full()) return false;
    deliver_packet(state, receiver, track, state.burst.packet(cursor.packet), outbox, sealer);
    cursor.packet = state.burst.next(cursor.packet);
  }
  cursor.in_receiver = false;
  return true;
}

void count_waiting(EngineState& state, std::uint32_t track) noexcept {
  for (const std::uint32_t index : state.tracks[track].waiting) {
    ReceiverTrack& receiver = state.receivers[index];
    if (receiver.follows) continue;
    receiver.drops.add(obstacle(receiver).value_or(DropReason::waiting_for_key_frame),
                       state.burst.count(track));
  }
}

}  // namespace

void deliver_media(EngineState& state, Outbox& outbox, Sealer& sealer) noexcept {
  BurstCursor& cursor = state.burst_cursor;
  const auto tracks = state.burst.tracks();
  for (; cursor.track < tracks.size(); ++cursor.track, cursor = {.track = cursor.track}) {
    const std::uint32_t track = tracks[cursor.track];
    const std::vector<std::uint32_t>& receivers = state.tracks[track].receivers;
    if (!std::exchange(cursor.has_counted_waiting, true)) count_waiting(state, track);
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
