// update and report: what a client wants changed on a leg, and what it tells about one.
#include <algorithm>

#include "core/session/requests.h"
#include "core/signalling/codec.h"

namespace runnel::session {
namespace {

using signalling::ErrorCode;

constexpr std::int64_t kSecondsFrom1900To1970 = 2'208'988'800;

NtpTime ntp_of(std::int64_t unix_microseconds) {
  const auto seconds =
      static_cast<std::uint64_t>(unix_microseconds / 1'000'000 + kSecondsFrom1900To1970);
  const auto microseconds = static_cast<std::uint64_t>(unix_microseconds % 1'000'000);
  return {(seconds << 32) | ((microseconds << 32) / 1'000'000)};
}

void take_clock(DeskState& state, const Moment& moment, const LegRecord& leg, const LegTrack& track,
                const signalling::Report::Clock& clock) {
  state.engine.note_sender_report(moment.now, leg.relay, track.medium,
                                  ntp_of(clock.unix_microseconds), {clock.rtp_timestamp});
}

Expected<LegRecord*> find_any_leg(SessionRecord& session, signalling::LegNumber leg) {
  const auto found = session.legs.find(leg);
  if (found != session.legs.end()) return &found->second;
  return refuse(ErrorCode::unknown_leg, "this session has no leg " + std::to_string(leg));
}

/// Of one track, or of all video without a name.
void choose_layers(DeskState& state, LegRecord& leg, std::string_view name,
                   const relay::LayerWish& wish) {
  for (std::size_t i = 0; i < leg.tracks.size(); ++i) {
    const LegTrack& track = leg.tracks[i];
    const bool is_video = track.told.codec.kind == rtp::MediaKind::video;
    if (name.empty() ? !is_video : track.told.name != name) continue;
    if (leg.receiver) state.engine.set_layers({leg.relay, *leg.receiver, track.medium}, wish);
    if (!leg.offered.empty()) leg.offered[i].layers = wish;
  }
}

}  // namespace

Expected<void> check_room(const DeskState& state, const SessionRecord& session) {
  if (state.shutting_down) return refuse(ErrorCode::shutting_down, "the server is shutting down");
  // Each track may need a channel, of which there are 2^16.
  const bool has_channels = session.routes.size() + signalling::kMaxTracks <= 0xffff;
  const std::size_t legs = session.legs.size() + session.waiting.size();
  const DeskLimits& limits = state.settings.limits;
  const std::size_t most = session.is_rest ? limits.rest_legs : limits.legs_per_session;
  if (legs < most && has_channels) return {};
  return refuse(ErrorCode::limit_reached,
                session.is_rest ? "there are as many legs made by REST as this token may have"
                                : "this session has as many legs as it may");
}

Expected<LegRecord*> find_own_leg(SessionRecord& session, signalling::LegNumber leg,
                                  signalling::LegRole role) {
  auto found = find_any_leg(session, leg);
  if (!found || (*found)->role == role) return found;
  return refuse(ErrorCode::unknown_leg,
                "leg " + std::to_string(leg) + " is a " +
                    (role == signalling::LegRole::publication ? "subscription" : "publication"));
}

Result handle(DeskState& state, const Call& call, const signalling::Update& wish) {
  SessionRecord& session = state.sessions.at(call.session);
  const auto leg = find_own_leg(session, wish.leg, signalling::LegRole::subscription);
  if (!leg) return std::unexpected(leg.error());
  if (!wish.track.empty() && (*leg)->find(wish.track) == nullptr) {
    return refuse(ErrorCode::unknown_track, "the leg has no track '" + wish.track + "'");
  }
  if (wish.layers) choose_layers(state, **leg, wish.track, *wish.layers);
  if (wish.paused && *wish.paused != (*leg)->paused) {
    (*leg)->paused = *wish.paused;
    if ((*leg)->channel) state.message_legs.find(*(*leg)->channel)->begin_anew();
    if ((*leg)->receiver) {
      state.engine.set_paused((*leg)->relay, *(*leg)->receiver, *wish.paused);
    }
  }
  if (wish.key_frame && (*leg)->receiver) {
    for (const LegTrack& track : (*leg)->tracks) {
      if (track.told.codec.kind != rtp::MediaKind::video) continue;
      state.engine.request_key_frame({(*leg)->relay, *(*leg)->receiver, track.medium});
    }
  }
  return signalling::Done{};
}

Result handle(DeskState& state, const Call& call, const signalling::Report& wish) {
  SessionRecord& session = state.sessions.at(call.session);
  const auto leg = find_any_leg(session, wish.leg);
  if (!leg) return std::unexpected(leg.error());
  LegTrack* track = (*leg)->find(wish.track);
  if (track == nullptr) {
    return refuse(ErrorCode::unknown_track, "the leg has no track '" + wish.track + "'");
  }
  if (!(*leg)->channel) {
    return refuse(ErrorCode::unsupported_leg, "this leg reports by RTCP");
  }
  if ((*leg)->role == signalling::LegRole::subscription) {
    relay::ReceiverReport report;
    report.fraction_lost = wish.fraction_lost;
    report.jitter = wish.jitter;
    report.round_trip = wish.round_trip;
    state.engine.note_report(call.moment.now, {(*leg)->relay, *(*leg)->receiver, track->medium},
                             report);
  } else if (wish.clock) {
    const StreamRecord& stream = *state.find_stream((*leg)->stream);
    if (stream.tracks[track->medium].state == signalling::StreamState::waiting) {
      track->early_clock = EarlyClock{*wish.clock, call.moment.now};
    } else {
      take_clock(state, call.moment, **leg, *track, *wish.clock);
    }
  }
  return signalling::Done{};
}

void take_early_clock(DeskState& state, const Moment& moment, const LegRecord& leg,
                      LegTrack& track) {
  if (!track.early_clock) return;
  signalling::Report::Clock clock = track.early_clock->clock;
  const auto passed =
      std::chrono::duration_cast<std::chrono::microseconds>(moment.now - track.early_clock->when)
          .count();
  track.early_clock.reset();
  clock.unix_microseconds += passed;
  clock.rtp_timestamp +=
      static_cast<std::uint32_t>(passed * track.told.codec.clock_rate / 1'000'000);
  take_clock(state, moment, leg, track, clock);
}

}  // namespace runnel::session
