#include "core/relay/track_lifecycle.h"

#include <algorithm>

#include "core/relay/encodings.h"
#include "core/relay/latching.h"
#include "core/srtp/packet_index.h"

namespace runnel::relay {
namespace {

/// Packets may be overtaken by the BYE that follows them: for so long they are no return.
constexpr Duration kGoodbyeGrace = std::chrono::seconds(1);

/// A silent source may have gone on by so many packets in each second, unheard; faster ones are
/// beyond what a relay of this kind is used for.
constexpr std::uint64_t kMostPacketsASecond = 10'000;
/// How often a packet after a silence may be looked for far ahead: a forged one costs as much.
constexpr Duration kSearchInterval = std::chrono::seconds(1);

/// Not all sources tell the size of their pictures, however often a key frame is asked for.
constexpr std::uint8_t kMostSizeRequests = 3;

/// Receivers get a sender report at least so often, extrapolated when the source sends none.
constexpr Duration kSenderReportInterval = std::chrono::seconds(5);

/// Silence that changes the state next.
std::optional<Duration> patience(const EngineLimits& limits, TrackState state) noexcept {
  switch (state) {
    case TrackState::live:
      return std::min(limits.stall, limits.hold);
    case TrackState::stalled:
    case TrackState::ended:
      return limits.hold;
    case TrackState::idle:
    case TrackState::gone:
      break;
  }
  return std::nullopt;
}

bool has_siblings(const EngineState& state, const SourceTrack& track) noexcept {
  return state.tracks[track.first].encodings.size() > 1;
}

/// Whether another encoding of the medium is as its source is said to be.
template <typename Is>
bool any_sibling(EngineState& state, const SourceTrack& track, Is is) noexcept {
  return std::ranges::any_of(state.encodings_beside(track), [&](const SourceTrack& other) {
    return other.index != track.index && is(other);
  });
}

bool is_live(const SourceTrack& track) noexcept {
  return track.state == TrackState::live;
}
bool is_flowing(const SourceTrack& track) noexcept {
  return track.is_flowing();
}

/// For what packets may bring about as fast as they come. False when it is not said.
bool tell(EngineState& state, SourceTrack& track, const Event& event) noexcept {
  if (!track.notices.may_say(state.now)) return false;
  state.say(event);
  return true;
}

void become_live(EngineState& state, SourceTrack& track) noexcept {
  if (!track.is_flowing()) track.next_report = state.now + state.limits.report_interval;
  if (track.state != TrackState::live) track.live_since = state.now;
  track.state = TrackState::live;
  set_deadline(state, track);
}

void become_gone(EngineState& state, SourceTrack& track) noexcept {
  if (track.state != TrackState::ended && !any_sibling(state, track, is_flowing)) {
    state.say(TrackEnded{track.relay, track.medium, EndReason::silence});
  }
  track.state = TrackState::gone;
  track.key_frames.forget();
  state.control.add(track.index, ControlTask::goodbyes);
}

void look_for_silence(EngineState& state, SourceTrack& track) noexcept {
  const auto limit = patience(state.limits, track.state);
  const Duration silence = state.now - track.last_packet;
  if (!limit || silence < *limit) return;
  if (silence >= state.limits.hold) {
    become_gone(state, track);
  } else {
    track.state = TrackState::stalled;
    if (!any_sibling(state, track, is_live)) {
      state.say(TrackStalled{track.relay, track.medium});
    }
  }
}

void note_packet(EngineState& state, SourceTrack& track, Arrival arrival, std::uint32_t old_ssrc,
                 const PacketOrigin& from) noexcept {
  track.last_packet = state.now;
  track.rtp_address = from;
  const TrackState before = track.state;
  if (arrival == Arrival::next) {
    if (before == TrackState::live) return;
    if (before == TrackState::ended && state.now - track.said_goodbye < kGoodbyeGrace) return;
  }
  const std::uint32_t ssrc = *track.ssrc.current();
  const bool was_flowing = track.is_flowing();
  become_live(state, track);
  if (!was_flowing) {
    // Of a medium, the first encoding that starts is told.
    if (any_sibling(state, track, is_flowing)) return;
    if (!tell(state, track, TrackStarted{track.relay, track.medium, ssrc, from})) ++track.restarts;
    return;
  }
  if (arrival == Arrival::new_ssrc) {
    ++track.restarts;
    tell(state, track, SourceRestarted{track.relay, track.medium, old_ssrc, ssrc, from});
  }
  const bool resumes = before == TrackState::stalled && !any_sibling(state, track, is_live);
  if (resumes) state.say(TrackResumed{track.relay, track.medium});
}

/// Receivers are led away from an encoding that its publisher has ceased to send.
void look_for_quiet(EngineState& state, SourceTrack& track) noexcept {
  if (!has_siblings(state, track) || track.is_quiet || !track.is_flowing()) return;
  if (state.now - track.last_packet < kEncodingSilence) return;
  track.is_quiet = true;
  reconsider_encodings(state, track);
}

void ask_for_missing(EngineState& state, SourceTrack& track) noexcept {
  if (!track.webrtc || track.webrtc->is_asking) return;
  const auto deadline = track.webrtc->losses.next_deadline();
  if (!deadline || *deadline > state.now) return;
  track.webrtc->is_asking = true;
  state.control.add(track.index, ControlTask::negative_acknowledgement);
}

void queue_reports(EngineState& state, SourceTrack& track) noexcept {
  const std::uint32_t index = track.index;
  track.next_report += state.limits.report_interval;
  if (track.next_report <= state.now) {
    track.next_report = state.now + state.limits.report_interval;
  }
  state.control.add(index, ControlTask::reception_report);
  // The request, or the key frame, may have been lost; and encodings are ranked by their size.
  const bool shows_no_size = has_siblings(state, track) && !track.picture_size;
  const bool may_show_it = shows_no_size && track.size_requests < kMostSizeRequests;
  if (may_show_it) ++track.size_requests;
  if (!track.waiting.empty() || may_show_it) request_key_frame(state, track);
  if (has_siblings(state, track)) reconsider_encodings(state, track);
  if (!track.clock) return;
  if (state.now - track.last_sender_reports >= kSenderReportInterval) {
    track.last_sender_reports = state.now;
    state.control.add(index, ControlTask::sender_reports);
  } else if (track.overdue_sender_reports > 0) {
    state.control.add(index, ControlTask::overdue_sender_reports);
  }
}

}  // namespace

void packet_arrived(EngineState& state, SourceTrack& track, Arrival arrival, std::uint32_t old_ssrc,
                    const PacketOrigin& from) noexcept {
  const bool was_there = track.is_flowing() && !track.is_quiet;
  note_packet(state, track, arrival, old_ssrc, from);
  track.is_quiet = false;
  if (!was_there && track.is_flowing() && has_siblings(state, track)) {
    reconsider_encodings(state, track);
  }
}

void set_deadline(EngineState& state, const SourceTrack& track) noexcept {
  std::optional<Timestamp> next = track.key_frames.deadline();
  const auto consider = [&next](Timestamp when) { next = next ? std::min(*next, when) : when; };
  if (const auto silence = patience(state.limits, track.state)) {
    consider(track.last_packet + *silence);
  }
  if (track.is_flowing()) {
    consider(track.next_report);
    if (!track.is_quiet && has_siblings(state, track))
      consider(track.last_packet + kEncodingSilence);
  }
  if (track.webrtc && !track.webrtc->is_asking) {
    if (const auto missing = track.webrtc->losses.next_deadline()) consider(*missing);
  }
  if (next) {
    state.deadlines.set(track.index, *next);
  } else {
    state.deadlines.clear(track.index);
  }
}

void source_said_goodbye(EngineState& state, SourceTrack& track) noexcept {
  if (!track.is_flowing()) return;
  track.state = TrackState::ended;
  track.said_goodbye = state.now;
  track.key_frames.forget();
  if (!any_sibling(state, track, is_flowing)) {
    tell(state, track, TrackEnded{track.relay, track.medium, EndReason::goodbye});
  }
  set_deadline(state, track);
}

void request_key_frame(EngineState& state, SourceTrack& track) noexcept {
  if (track.codec.kind != rtp::MediaKind::video || !track.is_flowing()) return;
  if (track.key_frames.request(state.now)) {
    state.control.add(track.index, ControlTask::key_frame_request);
  } else {
    set_deadline(state, track);
  }
}

void run_due(EngineState& state, SourceTrack& track) noexcept {
  look_for_silence(state, track);
  look_for_quiet(state, track);
  ask_for_missing(state, track);
  if (track.key_frames.take_due(state.now)) {
    state.control.add(track.index, ControlTask::key_frame_request);
  }
  if (track.is_flowing() && track.next_report <= state.now) {
    queue_reports(state, track);
    if (track.state == TrackState::live) release_lost_receivers(state, track);
  }
  set_deadline(state, track);
}

void search_after_silence(EngineState& state, SourceTrack& track) noexcept {
  const Duration silence = state.now - track.last_packet;
  if (track.state == TrackState::idle ||
      silence < std::min(state.limits.stall, state.limits.hold)) {
    return;
  }
  const bool has_searched = track.last_search > track.last_packet;
  if (has_searched && state.now - track.last_search < kSearchInterval) return;
  track.last_search = state.now;
  const auto seconds =
      static_cast<std::uint64_t>(std::chrono::ceil<std::chrono::seconds>(silence).count());
  const std::uint64_t rounds =
      seconds * kMostPacketsASecond / srtp::kSequenceNumbers + srtp::kNearRounds;
  track.srtp->expect_gap(
      static_cast<std::uint32_t>(std::min<std::uint64_t>(rounds, srtp::kMaxGapRounds)));
}

bool is_silent(const EngineState& state, const SourceTrack& track) noexcept {
  return !track.is_flowing() || state.now - track.last_packet >= state.limits.stall;
}

}  // namespace runnel::relay
