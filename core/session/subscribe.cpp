// subscribe and unsubscribe, and those that wait for a stream.
#include <algorithm>
#include <utility>

#include "core/session/lifecycle.h"
#include "core/session/receiver_leg.h"
#include "core/session/requests.h"
#include "core/session/voice_gate.h"
#include "core/session/waiting.h"
#include "core/session/webrtc_leg.h"
#include "core/session/websocket_leg.h"
#include "core/signalling/codec.h"

namespace runnel::session {
namespace {

using signalling::ErrorCode;

constexpr std::chrono::milliseconds kRetryWhenNotLive{2'000};

std::unexpected<signalling::Error> not_live(const std::string& stream) {
  return refuse(ErrorCode::stream_not_live, "nobody publishes '" + stream + "'", kRetryWhenNotLive);
}

/// The engine gets the leg; one by webrtc that waits for an answer later.
Expected<void> establish(DeskState& state, const LegKey& key, SessionRecord& session,
                         PlannedReceiver& plan, LegRecord& leg, const signalling::Subscribe& wish) {
  if (plan.webrtc && !plan.webrtc->offer) return {};
  if (std::holds_alternative<signalling::WebSocketOffer>(wish.leg)) {
    plan.leg.channel = open_channels(state, key, session, leg);
  }
  const auto receiver = state.engine.add_receiver(leg.relay, std::move(plan.leg));
  if (!receiver) {
    close_channels(state, session, leg);
    discard(state, plan);
    return std::unexpected(from_engine(receiver.error()));
  }
  leg.receiver = *receiver;
  place_message_leg(state, leg);
  // Who has waited may be away when the stream comes.
  const bool is_away = leg.channel && !session.connection;
  if (leg.paused || is_away) state.engine.set_paused(leg.relay, *receiver, true);
  for (LegTrack& track : leg.tracks) {
    track.told.ssrc = state.engine.receiver_ssrc({leg.relay, *receiver, track.medium});
  }
  return {};
}

Result subscribe(DeskState& state, const Moment& moment, SessionNumber number, StreamRecord& stream,
                 const signalling::Subscribe& wish) {
  SessionRecord& session = state.sessions.at(number);
  if (const auto room = check_room(state, session); !room) return std::unexpected(room.error());
  if (stream.subscriptions.size() >= state.settings.limits.subscriptions_per_stream) {
    return refuse(ErrorCode::full, "the stream has as many subscribers as it may",
                  kRetryWhenNotLive);
  }
  auto plan = plan_receiver(state, moment, number, stream, wish);
  if (!plan) return std::unexpected(plan.error());

  const LegKey key{number, session.next_leg++};
  LegRecord leg;
  leg.role = signalling::LegRole::subscription;
  leg.stream = wish.stream;
  leg.relay = stream.relay;
  leg.format = plan->told.format;
  leg.paused = wish.paused;
  for (std::size_t i = 0; i < plan->told.tracks.size(); ++i) {
    leg.tracks.push_back({.told = plan->told.tracks[i], .medium = i});
  }
  if (const auto established = establish(state, key, session, *plan, leg, wish); !established) {
    return std::unexpected(established.error());
  }
  ++state.subscriptions;
  stream.subscriptions.push_back(key);

  signalling::Leg told = std::move(plan->told);
  told.leg = key.leg;
  if (plan->webrtc) told.webrtc = join_peer(state, key, leg, *plan->webrtc);
  for (std::size_t i = 0; i < told.tracks.size(); ++i) told.tracks[i] = leg.tracks[i].told;
  session.legs.emplace(key.leg, std::move(leg));
  tell_watchers(state, wish.stream, signalling::StreamEvent::What::subscribers);
  return told;
}

Expected<void> wait_for_stream(DeskState& state, const Call& call, signalling::Subscribe&& wish) {
  const SessionRecord& session = state.sessions.at(call.session);
  if (const auto room = check_room(state, session); !room) return std::unexpected(room.error());
  if (state.waiting_offers + offer_size(wish) > state.settings.limits.waiting_offers) {
    return refuse(ErrorCode::full, "as many offers wait for streams as may", kRetryWhenNotLive);
  }
  const auto longest =
      std::chrono::floor<std::chrono::milliseconds>(state.settings.limits.longest_wait);
  const std::chrono::milliseconds wait = std::min(wish.wait, longest);
  const std::uint64_t number = add_waiting(state, {0, call.session, call.request, std::move(wish)});
  state.deadlines.set({Due::Kind::wait, number}, call.moment.now + wait);
  return {};
}

void answer(DeskState& state, const WaitingSubscription& waiting, const Result& result) {
  const auto session = state.sessions.find(waiting.session);
  if (session == state.sessions.end() || !session->second.connection || !waiting.request) return;
  state.say(*session->second.connection, result
                                             ? signalling::encode(*waiting.request, *result)
                                             : signalling::encode(waiting.request, result.error()));
}

}  // namespace

std::optional<Result> handle(DeskState& state, const Call& call, signalling::Subscribe&& wish) {
  const SessionRecord& session = state.sessions.at(call.session);
  if (!session.identity.permissions.allows(auth::Action::subscribe, wish.stream)) {
    return refuse(ErrorCode::forbidden,
                  "this token does not allow to subscribe to '" + wish.stream + "'");
  }
  StreamRecord* stream = state.find_stream(wish.stream);
  if (stream != nullptr && stream->has_publisher()) {
    return subscribe(state, call.moment, call.session, *stream, wish);
  }
  if (wish.wait.count() == 0 || !call.request) return not_live(wish.stream);
  const auto waits = wait_for_stream(state, call, std::move(wish));
  if (!waits) return std::unexpected(waits.error());
  return std::nullopt;
}

Result handle(DeskState& state, const Call& call, const signalling::Unsubscribe& wish) {
  SessionRecord& session = state.sessions.at(call.session);
  const auto leg = find_own_leg(session, wish.leg, signalling::LegRole::subscription);
  if (!leg) return std::unexpected(leg.error());
  end_leg(state, call.moment, {call.session, wish.leg}, std::nullopt);
  return signalling::Done{};
}

void serve_waiting(DeskState& state, const Moment& moment, const std::string& name) {
  for (const std::uint64_t number : waiting_for(state, name)) {
    StreamRecord* stream = state.find_stream(name);
    if (stream == nullptr || !stream->has_publisher()) return;
    const auto waiting = take_waiting(state, number);
    if (!waiting) continue;
    if (const auto voice = state.voice_connection_of(waiting->session)) {
      listen(state, moment, *voice);
      continue;
    }
    answer(state, *waiting, subscribe(state, moment, waiting->session, *stream, waiting->wish));
  }
}

void give_up_waiting(DeskState& state, std::uint64_t number) {
  const auto waiting = take_waiting(state, number);
  if (waiting) answer(state, *waiting, not_live(waiting->wish.stream));
}

}  // namespace runnel::session
