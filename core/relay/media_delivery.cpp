#include "core/relay/media_delivery.h"

#include <utility>

#include "core/base/serial_number.h"
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

/// A receiver meets another run, or goes on after an interruption: `packet` is the first in order
/// of what it gets now.
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

/// Late packets do not turn the receiver's time back. `newest` is on the track's line.
void note_time(ReceiverTrack& receiver, RtpTime newest, Timestamp now) noexcept {
  const RtpTime sent{newest.value + receiver.timestamp_offset};
  const auto& before = receiver.newest_time;
  if (before && serial_after(before->timestamp.value, sent.value)) return;
  receiver.newest_time = {sent, now};
}

/// With the header that is written for it, which may be longer than the source's.
bool fits(const ReceiverTrack& receiver, const ClearPacket& packet) noexcept {
  constexpr std::size_t kSealing = 32;  // more than any tag and key identifier of a peer
  constexpr std::size_t kMost = kPacketCapacity - rtp::ExtensionRewriter::kMaxHeaderSize - kSealing;
  return !receiver.webrtc || packet.payload_size <= kMost;
}

/// Of telephone events, which the receiver has to know; nullopt: it does not.
std::optional<std::uint8_t> event_payload_type(const ReceiverTrack& receiver) noexcept {
  return receiver.webrtc ? receiver.webrtc->agreed.event_payload_type : std::nullopt;
}

/// Why a receiver does not get this one.
std::optional<DropReason> obstacle(const ReceiverTrack& receiver,
                                   const ClearPacket& packet) noexcept {
  if (packet.place.position < receiver.first_position) return DropReason::waiting_for_key_frame;
  if (packet.is_event && !event_payload_type(receiver)) return DropReason::unknown_payload_type;
  if (!fits(receiver, packet)) return DropReason::too_long_to_protect;
  return std::nullopt;
}

rtp::OutgoingFields fields_for(const ReceiverTrack& receiver, const ClearPacket& packet,
                               std::uint16_t sequence_number) noexcept {
  return {.payload_type = receiver.payload_type,
          .sequence_number = sequence_number,
          .timestamp = {packet.place.timestamp.value + receiver.timestamp_offset},
          .ssrc = receiver.ssrc};
}

/// Where a peer is at one of the ends, or pictures get other numbers.
void send_rewritten(EngineState& state, ReceiverTrack& receiver, const ClearPacket& packet,
                    std::uint16_t sequence_number, ByteSpan slot, Sealer& sealer) noexcept {
  rtp::OutgoingFields fields = fields_for(receiver, packet, sequence_number);
  if (packet.is_event) fields.payload_type = *event_payload_type(receiver);
  const WrittenPacket written =
      write_packet(state, receiver, packet, fields, receiver.pictures.offsets(), slot);
  if (receiver.webrtc) {
    receiver.webrtc->history.sent(sequence_number);
    receiver.webrtc->budget.sent(packet.bytes.size());
  }
  send_packet(receiver, written, sealer);
}

void deliver_packet(EngineState& state, ReceiverTrack& receiver, std::uint32_t track,
                    const ClearPacket& packet, Outbox& outbox, Sealer& sealer) noexcept {
  if (const auto reason = obstacle(receiver, packet)) return receiver.drops.add(*reason);
  const auto sequence_number = receiver.sequence.translate(packet.place.position);
  if (!sequence_number) return receiver.drops.add(DropReason::too_old);
  if (receiver.run != packet.run) begin_run(receiver, track, packet, *sequence_number);
  ++receiver.packets;
  ++receiver.packet_count;
  receiver.octet_count += packet.payload_size;
  if (packet.picture_ids.size != 0) receiver.pictures.sent(packet.picture_ids);
  const ByteSpan slot = outbox.next_slot();
  if (!goes_as_it_came(receiver, packet, receiver.pictures.offsets())) {
    return send_rewritten(state, receiver, packet, *sequence_number, slot, sealer);
  }
  const rtp::OutgoingFields fields = fields_for(receiver, packet, *sequence_number);
  send_packet(receiver, copy_packet(packet, fields, slot), sealer);
}

/// The packet of this burst that a receiver begins with, whatever has overtaken it: who follows the
/// track from a key frame in the middle of the burst gets nothing before it. nullptr: none.
const ClearPacket* first_in_order(const EngineState& state, const ReceiverTrack& receiver,
                                  std::uint32_t track) noexcept {
  const ClearPacket* first = nullptr;
  for (std::uint32_t i = state.burst.first(track); i != Burst::kEnd; i = state.burst.next(i)) {
    const ClearPacket& packet = state.burst.packet(i);
    if (packet.place.position < receiver.first_position) continue;
    if (first == nullptr || packet.place.position < first->place.position) first = &packet;
  }
  return first;
}

/// False when the burst has nothing for it.
bool begin_or_resume_with_burst(EngineState& state, ReceiverTrack& receiver,
                                std::uint32_t track) noexcept {
  const ClearPacket* const first = first_in_order(state, receiver, track);
  if (first == nullptr) {
    receiver.drops.add(DropReason::waiting_for_key_frame, state.burst.count(track));
    return false;
  }
  const std::uint64_t position = first->place.position;
  begin_or_resume(state, receiver, position);
  begin_run(receiver, track, *first, *receiver.sequence.translate(position));
  return true;
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
    const bool may_begin =
        receiver.sequence.running() || begin_or_resume_with_burst(state, receiver, track);
    if (!may_begin) return true;
    cursor.packet = state.burst.first(track);
    cursor.in_receiver = true;
  }
  while (cursor.packet != Burst::kEnd) {
    if (outbox.full()) return false;
    deliver_packet(state, receiver, track, state.burst.packet(cursor.packet), outbox, sealer);
    cursor.packet = state.burst.next(cursor.packet);
  }
  note_time(receiver, state.burst.newest(track), state.now);
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
