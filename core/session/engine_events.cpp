// What the engine tells of tracks and receivers, as it concerns streams and legs.
#include <algorithm>

#include "core/session/lifecycle.h"
#include "core/session/requests.h"

namespace runnel::session {
namespace {

using signalling::LegEndReason;
using signalling::StreamState;
using What = signalling::StreamEvent::What;

class EventTaker {
 public:
  EventTaker(DeskState& state, const Moment& moment) : state_(state), moment_(moment) {}

  void operator()(const relay::TrackStarted& event) {
    set(event, StreamState::live);
    adopt_clock(event);
  }
  void operator()(const relay::TrackStalled& event) { set(event, StreamState::stalled); }
  void operator()(const relay::TrackResumed& event) { set(event, StreamState::live); }
  void operator()(const relay::TrackEnded& event) {
    set(event, StreamState::ended);
    end_abandoned(event.relay);
  }
  void operator()(const relay::ReceiverLeft& event) {
    if (event.reason != relay::LeaveReason::goodbye) return;
    // A browser takes leave by its SDP, or by closing the peer connection.
    const auto key = leg_of(event.receiver);
    if (key && !state_.find_leg(*key)->peer) end_leg(state_, moment_, *key, LegEndReason::goodbye);
  }
  void operator()(const relay::KeyExpired& event) {
    const auto key = leg_of(event.receiver);
    if (key) end_leg(state_, moment_, *key, LegEndReason::key_expired);
  }
  void operator()(const relay::SourceRestarted&) {}
  void operator()(const relay::ReceiverLatched&) {}
  void operator()(const relay::ReceiverUnreachable&) {}
  void operator()(const relay::AuthenticationFailing&) {}

 private:
  /// A relay that is being removed still has a name, but is no stream of ours any more.
  StreamRecord* stream_of(std::size_t relay) {
    StreamRecord* stream = state_.find_stream(state_.engine.stream_name(relay));
    return stream != nullptr && stream->relay == relay ? stream : nullptr;
  }

  template <typename Event>
  void set(const Event& event, StreamState track_state) {
    StreamRecord* stream = stream_of(event.relay);
    if (stream == nullptr || event.medium >= stream->tracks.size()) return;
    const StreamState before = stream->state();
    stream->tracks[event.medium].state = track_state;
    const StreamState after = stream->state();
    if (before == after) return;
    const std::string name(state_.engine.stream_name(event.relay));
    for (const LegKey& subscriber : stream->subscriptions) {
      tell(state_, subscriber.session, signalling::LegState{subscriber.leg, after});
    }
    tell_watchers(state_, name, what_happened(before, after));
  }

  void adopt_clock(const relay::TrackStarted& event) {
    const StreamRecord* stream = stream_of(event.relay);
    if (stream == nullptr || !stream->publication) return;
    LegRecord* leg = state_.find_leg(*stream->publication);
    for (LegTrack& track : leg->tracks) {
      if (track.medium == event.medium) take_early_clock(state_, moment_, *leg, track);
    }
  }

  static What what_happened(StreamState before, StreamState after) {
    switch (after) {
      case StreamState::live:
        return before == StreamState::stalled ? What::resumed : What::started;
      case StreamState::stalled:
        return What::stalled;
      case StreamState::waiting:
      case StreamState::ended:
        break;
    }
    return What::ended;
  }

  /// A publication made by REST has no connection whose end would be its own: it ends with its
  /// media.
  void end_abandoned(std::size_t relay) {
    const StreamRecord* stream = stream_of(relay);
    if (stream == nullptr || !stream->publication) return;
    if (stream->state() != StreamState::ended) return;
    const LegKey key = *stream->publication;
    if (!state_.sessions.at(key.session).is_rest || state_.find_leg(key)->peer) return;
    end_leg(state_, moment_, key, LegEndReason::goodbye);
  }

  std::optional<LegKey> leg_of(const relay::ReceiverMediumId& receiver) {
    const StreamRecord* stream = stream_of(receiver.relay);
    if (stream == nullptr) return std::nullopt;
    const auto key = std::ranges::find_if(stream->subscriptions, [&](const LegKey& candidate) {
      return state_.find_leg(candidate)->receiver == receiver.receiver;
    });
    return key == stream->subscriptions.end() ? std::nullopt : std::optional(*key);
  }

  DeskState& state_;
  const Moment& moment_;
};

}  // namespace

void take_event(DeskState& state, const Moment& moment, const relay::Event& event) {
  std::visit(EventTaker(state, moment), event);
}

StreamState StreamRecord::state() const noexcept {
  const auto any = [this](StreamState wanted) {
    return std::ranges::any_of(
        tracks, [wanted](const StreamTrack& track) { return track.state == wanted; });
  };
  for (const StreamState best : {StreamState::live, StreamState::stalled, StreamState::ended}) {
    if (any(best)) return best;
  }
  return StreamState::waiting;
}

}  // namespace runnel::session
