#include "core/relay/peer_feedback.h"

#include <array>

#include "core/relay/rtcp_draft.h"
#include "core/relay/track_lifecycle.h"

namespace runnel::relay {
namespace {

/// Under which SSRC we speak to the peer.
std::optional<std::uint32_t> own_ssrc(const EngineState& state, const PeerLink& link) noexcept {
  for (const std::uint32_t relay : link.relays) {
    if (state.relays[relay].from) return state.relays[relay].from->reply_ssrc;
  }
  return std::nullopt;
}

/// False when the outbox has no room for it.
bool tell_arrivals(EngineState& state, PeerLink& link, Outbox& outbox, Sealer& sealer) noexcept {
  const auto ssrc = own_ssrc(state, link);
  const bool can_tell = ssrc && link.path && link.sender != nullptr && link.arrivals_ssrc;
  if (!can_tell || !link.arrivals) return true;
  while (link.arrivals->deadline() && *link.arrivals->deadline() <= state.now) {
    if (outbox.full()) return false;
    const ByteSpan slot = outbox.next_slot();
    const std::size_t size = link.arrivals->write(*ssrc, *link.arrivals_ssrc, slot);
    if (size == 0) return true;
    Draft draft = rtcp_draft(slot.first(size), DatagramOwner::nobody(), link.sender,
                             link.path->port, link.path->remote);
    sealer.add(draft);
  }
  return true;
}

}  // namespace

void set_link_deadline(EngineState& state, const PeerLink& link) noexcept {
  const auto deadline = link.arrivals ? link.arrivals->deadline() : std::nullopt;
  // Nobody can be told while there is no path, nor of what; the next arrival after that sets it
  // again.
  if (deadline && link.sender != nullptr && link.arrivals_ssrc) {
    state.link_deadlines.set(link.index, *deadline);
  } else {
    state.link_deadlines.clear(link.index);
  }
}

void deliver_transport_feedback(EngineState& state, Outbox& outbox, Sealer& sealer) noexcept {
  while (!state.links_to_tell.empty()) {
    PeerLink& link = state.links[state.links_to_tell.back()];
    if (!tell_arrivals(state, link, outbox, sealer)) return;
    state.links_to_tell.pop_back();
    set_link_deadline(state, link);
  }
}

void write_missing(EngineState& state, SourceTrack& track, std::uint32_t sender_ssrc,
                   rtp::RtcpWriter& writer) noexcept {
  if (!track.webrtc || !track.ssrc.current()) return;
  std::array<std::uint16_t, LossDetector::kMaxMissing> missing;
  std::array<rtp::NackEntry, LossDetector::kMaxMissing> entries;
  const LossDetector::Due due = track.webrtc->losses.take_due(state.now, missing);
  const std::size_t count = rtp::build_nack(std::span(missing).first(due.count), entries);
  if (count > 0) writer.nack(sender_ssrc, *track.ssrc.current(), std::span(entries).first(count));
  track.nacked_packets += due.count;
  track.webrtc->is_asking = false;
  set_deadline(state, track);
  if (due.given_up > 0) request_key_frame(state, track);
}

void forget_missing(EngineState& state, SourceTrack& track) noexcept {
  if (!track.webrtc) return;
  track.webrtc->losses.forget_missing();
  track.webrtc->is_asking = false;
  set_deadline(state, track);
}

void write_allowance(EngineState& state, const SourceTrack& track, std::uint32_t sender_ssrc,
                     rtp::RtcpWriter& writer) noexcept {
  if (!track.webrtc || !track.ssrc.current()) return;
  const rtp::FeedbackKinds& feedback = track.webrtc->agreed.feedback;
  if (!feedback.remb || feedback.transport_wide) return;
  const std::array sources{*track.ssrc.current()};
  writer.receiver_estimated_maximum_bitrate(sender_ssrc, state.limits.publisher_bitrate, sources);
}

}  // namespace runnel::relay
