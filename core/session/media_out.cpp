#include "core/session/media_out.h"

#include <algorithm>
#include <utility>

#include "core/frames/media_message.h"
#include "core/rtp/rtcp_packet.h"
#include "core/rtp/rtp_packet.h"
#include "core/session/lifecycle.h"
#include "core/session/voice_gate.h"

namespace runnel::session {
namespace {

constexpr std::int64_t kSecondsFrom1900To1970 = 2'208'988'800;
/// How often a client is told that it reads too slowly.
constexpr Duration kSlowReaderInterval = std::chrono::seconds(1);
/// Between two requests for the key frame that a subscription waits for.
constexpr Duration kKeyFrameInterval = std::chrono::seconds(1);

std::int64_t unix_microseconds(NtpTime ntp) noexcept {
  const auto seconds = static_cast<std::int64_t>(ntp.value >> 32) - kSecondsFrom1900To1970;
  const auto fraction = static_cast<std::int64_t>(((ntp.value & 0xffff'ffff) * 1'000'000) >> 32);
  return seconds * 1'000'000 + fraction;
}

const LegTrack* track_of(DeskState& state, const MessageLeg& leg, std::size_t medium) {
  const LegRecord* record = state.find_leg(leg.key);
  if (record == nullptr) return nullptr;
  const auto found = std::ranges::find(record->tracks, medium, &LegTrack::medium);
  return found == record->tracks.end() ? nullptr : &*found;
}

/// RTCP to a publisher: how it is received, and that a key frame is wanted.
void tell_publisher(DeskState& state, const MessageLeg& leg, const LegTrack& track,
                    const rtp::RtcpPacketView& packet) {
  const std::string& name = track.told.name;
  if (packet.is(rtp::RtcpType::payload_feedback)) {
    return tell(state, leg.key.session, signalling::KeyFrameWanted{leg.key.leg, name});
  }
  for (std::size_t i = 0; i < rtp::report_block_count(packet); ++i) {
    const rtp::ReportBlock block = rtp::report_block(packet, i);
    const auto jitter = std::int64_t{block.jitter} * 1'000'000 / track.told.codec.clock_rate;
    tell(state, leg.key.session,
         signalling::ReceptionReport{.leg = leg.key.leg,
                                     .track = name,
                                     .fraction_lost = block.fraction_lost / 256.0,
                                     .lost = block.cumulative_lost,
                                     .jitter = std::chrono::microseconds(jitter)},
         TextClass::statistics);
  }
}

/// RTCP to a subscriber: what time its timestamps mean.
void tell_subscriber(DeskState& state, const MessageLeg& leg, const LegTrack& track,
                     const rtp::RtcpPacketView& packet) {
  const auto report = rtp::parse_sender_report(packet);
  if (!report) return;
  tell(state, leg.key.session,
       signalling::ClockReport{.leg = leg.key.leg,
                               .track = track.told.name,
                               .rtp_timestamp = report->rtp.value,
                               .unix_microseconds = unix_microseconds(report->ntp)},
       TextClass::statistics);
}

void take_rtcp(DeskState& state, const MessageLeg& leg, const relay::OutgoingMessage& message) {
  const LegTrack* track = track_of(state, leg, message.medium);
  if (track == nullptr || !leg.connection) return;
  rtp::RtcpReader reader(message.bytes);
  while (const auto packet = reader.next()) {
    if (leg.is_publication) {
      tell_publisher(state, leg, *track, *packet);
    } else {
      tell_subscriber(state, leg, *track, *packet);
    }
  }
}

/// Whether it was time to.
bool tell_dropped(DeskState& state, const Moment& moment, MessageLeg& leg) {
  if (leg.told_drops && moment.now - *leg.told_drops < kSlowReaderInterval) return false;
  leg.told_drops = moment.now;
  tell(state, leg.key.session, signalling::SlowReader{leg.key.leg, leg.dropped_packets},
       TextClass::statistics);
  return true;
}

void note_dropped(DeskState& state, const Moment& moment, MessageLeg& leg, std::uint32_t owner) {
  state.engine.handle_send_failure(owner, DropReason::slow_reader);
  ++leg.dropped_packets;
  leg.has_drops_to_tell = true;
  static_cast<void>(tell_dropped(state, moment, leg));
}

/// While media was dropped there may have been no room for the event either; now there is.
void note_sent(DeskState& state, const Moment& moment, MessageLeg& leg) {
  if (leg.has_drops_to_tell && tell_dropped(state, moment, leg)) leg.has_drops_to_tell = false;
}

void want_key_frame(DeskState& state, const MessageLeg& leg, MessageTrack& track) {
  if (std::exchange(track.wishes_key_frame, true)) return;
  state.key_frame_wishes.push_back({leg.channel, track.medium});
}

/// Again and again while the assembler waits, since a request or the key frame may be lost.
void ask_while_waiting(DeskState& state, const Moment& moment, const MessageLeg& leg,
                       MessageTrack& track) {
  if (!track.assembler->waiting_for_key_frame()) {
    track.asked.reset();
  } else if (!track.asked || moment.now - *track.asked >= kKeyFrameInterval) {
    track.asked = moment.now;
    want_key_frame(state, leg, track);
  }
}

/// Behind a BYE packets come under another SSRC, with numbers and times of their own; the time of
/// the frames goes on.
void follow_source(MessageTrack& track, std::uint32_t ssrc, Timestamp now) {
  if (track.ssrc && *track.ssrc != ssrc) {
    const auto since = std::chrono::duration_cast<std::chrono::microseconds>(now - track.frame_at);
    track.assembler->reset(track.frame_us + static_cast<std::uint64_t>(since.count()));
    track.asked.reset();
  }
  track.ssrc = ssrc;
}

MediaMessage message_of(const frames::MediaHeader& header, ByteView payload) noexcept {
  MediaMessage message;
  const frames::MediaHeaderBytes bytes(header);
  copy_bytes(message.header, bytes.view());
  message.header_size = bytes.view().size();
  message.payload = payload;
  return message;
}

std::optional<MediaMessage> prepare_packet(DeskState& state, const Moment& moment, MessageLeg& leg,
                                           MessageTrack& track,
                                           const relay::OutgoingMessage& message,
                                           std::size_t room) {
  const auto packet = rtp::RtpPacketView::parse(message.bytes);
  if (!packet) return std::nullopt;
  const frames::GateDecision decision = track.gate.packet(*packet, room);
  if (decision.request_key_frame) want_key_frame(state, leg, track);
  if (!decision.send()) {
    note_dropped(state, moment, leg, message.owner);
    return std::nullopt;
  }
  note_sent(state, moment, leg);
  return message_of({.kind = frames::MessageKind::rtp_packet,
                     .key_frame = frames::begins_key_frame(track.format, packet->payload()),
                     .discontinuity = decision.discontinuity,
                     .channel = track.channel},
                    message.bytes);
}

}  // namespace

std::optional<MediaMessage> prepare_media(DeskState& state, const Moment& moment,
                                          const relay::OutgoingMessage& message,
                                          std::size_t room) noexcept {
  state.preparing.reset();
  MessageLeg* leg = state.message_legs.find(message.channel);
  if (leg == nullptr || message.medium >= leg->tracks.size()) return std::nullopt;
  if (leg->voice_listener) {
    if (!message.is_rtcp) play_to_voice(state, moment, *leg, message.bytes);
    return std::nullopt;
  }
  if (message.is_rtcp) {
    take_rtcp(state, *leg, message);
    return std::nullopt;
  }
  MessageTrack& track = leg->tracks[message.medium];
  if (!track.assembler) return prepare_packet(state, moment, *leg, track, message, room);
  const auto packet = rtp::RtpPacketView::parse(message.bytes);
  if (!packet) return std::nullopt;
  follow_source(track, packet->ssrc(), moment.now);
  track.assembler->push(*packet);
  state.preparing = {.channel = message.channel,
                     .medium = message.medium,
                     .moment = moment,
                     .owner = message.owner};
  return prepare_next_frame(state, room);
}

std::optional<MediaMessage> prepare_next_frame(DeskState& state, std::size_t room) noexcept {
  if (!state.preparing) return std::nullopt;
  const PreparingFrames now = *state.preparing;
  MessageLeg* leg = state.message_legs.find(now.channel);
  if (leg == nullptr) return std::nullopt;
  MessageTrack& track = leg->tracks[now.medium];
  while (const auto frame = track.assembler->next()) {
    const frames::GateDecision decision = track.gate.frame(*frame, room);
    if (decision.request_key_frame) want_key_frame(state, *leg, track);
    if (!decision.send()) {
      note_dropped(state, now.moment, *leg, now.owner);
      continue;
    }
    note_sent(state, now.moment, *leg);
    track.frame_us = frame->timestamp_us;
    track.frame_at = now.moment.now;
    return message_of({.kind = frames::MessageKind::encoded_frame,
                       .key_frame = frame->key_frame(),
                       .discontinuity = decision.discontinuity || frame->discontinuity,
                       .channel = track.channel,
                       .timestamp_us = frame->timestamp_us},
                      frame->bytes);
  }
  ask_while_waiting(state, now.moment, *leg, track);
  state.preparing.reset();
  return std::nullopt;
}

void ask_for_key_frames(DeskState& state) noexcept {
  for (const KeyFrameWish& wish : state.key_frame_wishes) {
    MessageLeg* leg = state.message_legs.find(wish.channel);
    if (leg == nullptr) continue;
    leg->tracks[wish.medium].wishes_key_frame = false;
    state.engine.request_key_frame({leg->relay, leg->receiver, wish.medium});
  }
  state.key_frame_wishes.clear();
}

}  // namespace runnel::session
