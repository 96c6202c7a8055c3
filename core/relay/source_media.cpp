#include "core/relay/source_media.h"

#include <algorithm>
#include <utility>

#include "core/frames/key_frame.h"
#include "core/relay/encodings.h"
#include "core/relay/picture_counters.h"
#include "core/relay/track_lifecycle.h"
#include "core/rtp/rtp_packet.h"

namespace runnel::relay {
namespace {

using Placed = std::expected<LinePlace, DropReason>;

/// Packets come in bursts, a picture at a time. The current SSRC has to be silent for so long
/// before one that it has replaced may return, lest two sources that send at once take turns.
constexpr Duration kBurstGap = std::chrono::milliseconds(250);

void adopt_early_report(SourceTrack& track, std::uint32_t ssrc) noexcept {
  track.clock.reset();
  const auto early = track.early_reports.take(ssrc);
  if (!early) return;
  track.rtcp_address = early->from;
  track.reception.on_sender_report(early->arrival, early->ntp);
  track.clock = SenderReportClock{early->ntp, track.line.translate(early->rtp), early->arrival};
}

LinePlace begin(EngineState& state, SourceTrack& track, const rtp::RtpPacketView& packet,
                const PacketOrigin& from, Arrival arrival) noexcept {
  const std::uint32_t ssrc = packet.ssrc();
  const std::uint32_t old_ssrc = track.ssrc.current().value_or(track.replaced_ssrc.value_or(ssrc));
  const LinePlace place = track.line.begin(state.now, packet.sequence_number(), packet.timestamp());
  track.run = ++state.last_run;
  track.ssrc.select(ssrc);
  if (track.webrtc) track.webrtc->losses.restart();
  track.reception = rtp::ReceptionStatistics(ssrc, track.codec.clock_rate);
  track.key_frames.forget();
  adopt_early_report(track, ssrc);
  packet_arrived(state, track, arrival, old_ssrc, from);
  if (std::exchange(track.wants_key_frame, false)) request_key_frame(state, track);
  await_key_frame(state, track);
  return place;
}

Placed go_on(EngineState& state, SourceTrack& track, const rtp::RtpPacketView& packet,
             const PacketOrigin& from, Repeat repeat) noexcept {
  const Placed place = track.line.place(state.now, packet.sequence_number(), packet.timestamp());
  if (place) {
    packet_arrived(state, track, Arrival::next, packet.ssrc(), from);
    return place;
  }
  if (place.error() != DropReason::too_old || repeat == Repeat::yes) return place;
  if (track.srtp || track.link) {
    // SRTP vouches for the order: what seems old after a silence is more than half a round ahead.
    const bool after_silence =
        track.state == TrackState::stalled || track.state == TrackState::gone;
    if (after_silence) return begin(state, track, packet, from, Arrival::next);
  } else if (track.line.begins_anew(packet.sequence_number())) {
    return begin(state, track, packet, from, Arrival::new_ssrc);
  }
  return place;
}

Placed take_newcomer(EngineState& state, SourceTrack& track, const rtp::RtpPacketView& packet,
                     const PacketOrigin& from) noexcept {
  const bool is_credible = track.is_authentic() || is_silent(state, track) ||
                           !track.ssrc.current() ||
                           track.ssrc.is_in_sequence(packet.ssrc(), packet.sequence_number());
  if (!is_credible) return std::unexpected(DropReason::unknown_ssrc);
  return begin(state, track, packet, from, Arrival::new_ssrc);
}

/// A packet of an SSRC that has been replaced: a straggler, or a source that was there all the time
/// and lost its place to a recording of an earlier session.
Placed take_back(EngineState& state, SourceTrack& track, const rtp::RtpPacketView& packet,
                 const PacketOrigin& from) noexcept {
  if (!track.ssrc.insists(packet.ssrc()) || state.now - track.last_packet < kBurstGap) {
    return std::unexpected(DropReason::superseded_source);
  }
  const LinePlace place = begin(state, track, packet, from, Arrival::new_ssrc);
  request_key_frame(state, track);  // it has no reason to begin with one
  return place;
}

/// Whether we sent it ourselves, and somebody sends it to us (RFC 3550 §8.2). What is pinned to
/// another sender under the source's own key is not the source. Who sends messages is known by its
/// connection, and may pass on what it has got; so may a peer, whose key is not ours.
bool is_our_own(const EngineState& state, const SourceTrack& track, std::uint32_t ssrc) noexcept {
  if (track.channel || track.link) return false;
  return state.ssrcs.is_our_own(ssrc) ||
         (!track.pinned_ssrc && state.is_pinned(ssrc, state.relays[track.relay].from->keys));
}

Placed place_packet(EngineState& state, SourceTrack& track, const rtp::RtpPacketView& packet,
                    const PacketOrigin& from, Repeat repeat) noexcept {
  switch (track.ssrc.judge(packet.ssrc(), is_silent(state, track))) {
    case SsrcSelector::Verdict::current:
      return go_on(state, track, packet, from, repeat);
    case SsrcSelector::Verdict::newcomer:
      if (is_our_own(state, track, packet.ssrc())) {
        return std::unexpected(DropReason::unknown_ssrc);
      }
      return take_newcomer(state, track, packet, from);
    case SsrcSelector::Verdict::superseded:
      return take_back(state, track, packet, from);
  }
  return std::unexpected(DropReason::superseded_source);
}

/// What a key frame shows, and whom it lets begin.
void note_key_frame(EngineState& state, SourceTrack& track, const ClearPacket& packet) noexcept {
  if (!frames::is_video(track.format)) return;
  const ByteView payload = packet.bytes.subspan(packet.header_size, packet.payload_size);
  if (!frames::begins_key_frame(track.format, payload)) return;
  if (const auto size = frames::picture_size(track.format, payload)) {
    const bool is_other = track.picture_size != size;
    track.picture_size = size;
    if (is_other && state.tracks[track.first].encodings.size() > 1) {
      reconsider_encodings(state, track);
    }
  }
  lead_over(state, track, packet.place);
  track.key_frames.forget();  // who has asked before it came is served by it
}

/// What is sent again may have come meanwhile, or not have been lost at all.
DropReason reason_of(DropReason refusal, Repeat repeat) noexcept {
  const bool is_needless = repeat == Repeat::yes && refusal == DropReason::replayed;
  return is_needless ? DropReason::duplicate_retransmission : refusal;
}

DropReason reason_without_receiver(EngineState& state, const SourceTrack& track) noexcept {
  const bool is_watched = std::ranges::any_of(
      state.encodings_beside(track),
      [](const SourceTrack& each) { return !each.receivers.empty() || !each.waiting.empty(); });
  return is_watched ? DropReason::layer_not_watched : DropReason::no_receiver;
}

void keep(EngineState& state, SourceTrack& track, const ClearPacket& packet) {
  if (state.tracks[track.first].repeat_askers == 0 || packet.is_event) return;
  track.sent.store({.bytes = packet.bytes,
                    .header_size = packet.header_size,
                    .payload_size = packet.payload_size,
                    .place = packet.place,
                    .extensions = packet.extensions});
}

}  // namespace

bool take_source_media(EngineState& state, SourceTrack& track, const PacketOrigin& from,
                       ByteView clear, Repeat repeat) noexcept {
  const auto packet = rtp::RtpPacketView::parse(clear);
  if (!packet) {
    track.drops.add(DropReason::malformed);
    return false;
  }
  const std::uint32_t run_before = track.run;
  const Placed place = place_packet(state, track, *packet, from, repeat);
  if (!place) {
    track.drops.add(reason_of(place.error(), repeat));
    return false;
  }
  track.ssrc.current_delivered();
  if (repeat == Repeat::no) {
    track.reception.on_packet(state.now, packet->sequence_number(), packet->timestamp());
  }
  ++track.packets;
  track.bytes += clear.size();
  track.bitrate.add(clear.size(), state.now);
  ClearPacket ready{.bytes = clear,
                    .header_size = static_cast<std::uint16_t>(packet->header().size()),
                    .payload_size = static_cast<std::uint16_t>(packet->payload().size()),
                    .place = *place,
                    .run = track.run,
                    .is_of_peer = track.webrtc != nullptr};
  if (track.webrtc) {
    ready.is_event = track.webrtc->agreed.event_payload_type == packet->payload_type();
    ready.extensions = rtp::ParsedExtensions::parse(*packet, track.webrtc->agreed.extensions);
  }
  ready.picture_ids = picture_ids_of(track.format, ready);
  note_key_frame(state, track, ready);
  if (track.run != run_before && !track.waiting.empty()) request_key_frame(state, track);
  keep(state, track, ready);
  if (track.receivers.empty() && track.waiting.empty()) {
    track.drops.add(reason_without_receiver(state, track));
    return true;
  }
  state.burst.add(track.index, ready);
  return true;
}

}  // namespace runnel::relay
