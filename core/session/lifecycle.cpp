#include "core/session/lifecycle.h"

#include <algorithm>
#include <utility>

#include "core/session/peers.h"
#include "core/session/voice_gate.h"
#include "core/session/waiting.h"
#include "core/session/websocket_leg.h"
#include "core/signalling/codec.h"

namespace runnel::session {
namespace {

using signalling::LegEndReason;
using signalling::StreamState;
using What = signalling::StreamEvent::What;

Due due_of(const StreamRecord& stream) {
  return {Due::Kind::stream, static_cast<std::uint64_t>(stream.number)};
}

void forget_stream(DeskState& state, const std::string& name) {
  const auto found = state.streams.find(name);
  state.deadlines.clear(due_of(found->second));
  state.stream_names.erase(found->second.number);
  state.engine.remove_relay(found->second.relay);
  state.streams.erase(found);
}

/// Nobody waits on the telephone.
void hang_up(DeskState& state, const Moment& moment, const StreamRecord& stream) {
  const std::vector<LegKey> subscriptions = stream.subscriptions;
  for (const LegKey& key : subscriptions) {
    if (state.voice_connection_of(key.session)) {
      end_leg(state, moment, key, LegEndReason::stream_ended);
    }
  }
}

/// Subscribers wait for a while; a stream without them goes at once.
void publisher_left(DeskState& state, const Moment& moment, const std::string& name,
                    StreamRecord& stream) {
  stream.publication.reset();
  for (StreamTrack& track : stream.tracks) track.state = StreamState::ended;
  tell_watchers(state, name, What::ended);
  hang_up(state, moment, stream);
  if (state.find_stream(name) == nullptr) return;
  if (stream.subscriptions.empty()) return forget_stream(state, name);
  state.engine.detach_source(stream.relay);
  state.deadlines.set(due_of(stream), moment.now + state.settings.limits.hold);
  for (const LegKey& subscriber : stream.subscriptions) {
    tell(state, subscriber.session, signalling::LegState{subscriber.leg, StreamState::ended});
  }
}

void subscriber_left(DeskState& state, const LegKey& key, const LegRecord& leg,
                     StreamRecord& stream) {
  if (leg.receiver) state.engine.remove_receiver(leg.relay, *leg.receiver);
  std::erase(stream.subscriptions, key);
  if (!stream.has_publisher() && stream.subscriptions.empty()) {
    return forget_stream(state, leg.stream);
  }
  tell_watchers(state, leg.stream, What::subscribers);
}

/// The leg's own tables, but nothing of its stream.
LegRecord take_leg(DeskState& state, const Moment& moment, const LegKey& key) {
  SessionRecord& session = state.sessions.at(key.session);
  const auto found = session.legs.find(key.leg);
  LegRecord leg = std::move(found->second);
  session.legs.erase(found);
  if (session.is_unattended() && session.legs.empty()) {
    state.deadlines.set({Due::Kind::hold, static_cast<std::uint64_t>(key.session)}, moment.now);
  }
  close_channels(state, session, leg);
  leave_peer(state, key, leg);
  --(leg.role == signalling::LegRole::publication ? state.publications : state.subscriptions);
  return leg;
}

}  // namespace

void tell(DeskState& state, SessionNumber number, const signalling::Event& event,
          TextClass text_class) {
  const auto session = state.sessions.find(number);
  if (session == state.sessions.end()) return;
  if (!session->second.resource.empty()) {
    state.output.resource_events.push_back({session->second.resource, event});
  }
  if (!session->second.connection) return;
  if (const auto voice = state.voice_connection_of(number)) {
    const auto* ended = std::get_if<signalling::LegEnded>(&event);
    if (ended != nullptr) voice_leg_ended(state, *voice, *ended);
    return;
  }
  state.say(*session->second.connection, signalling::encode(event), text_class);
}

signalling::StreamSummary summary_of(const std::string& name, const StreamRecord& stream) {
  signalling::StreamSummary summary;
  summary.stream = name;
  summary.state = stream.state();
  for (const StreamTrack& track : stream.tracks) {
    summary.tracks.push_back(
        {.name = track.name, .codec = track.codec, .live = track.state == StreamState::live});
  }
  summary.subscribers = stream.subscriptions.size();
  return summary;
}

void tell_watchers(DeskState& state, const std::string& name, What what) {
  if (state.watchers.empty()) return;
  const signalling::StreamEvent event{what, summary_of(name, *state.find_stream(name))};
  std::string text;
  for (const SessionNumber number : state.watchers) {
    const SessionRecord& session = state.sessions.at(number);
    const bool wants = std::ranges::any_of(
        session.watches, [&](const std::string& prefix) { return name.starts_with(prefix); });
    if (!wants || !session.connection ||
        !session.identity.permissions.allows(auth::Action::watch, name)) {
      continue;
    }
    if (text.empty()) text = signalling::encode(signalling::Event(event));
    state.say(*session.connection, text,
              what == What::subscribers ? TextClass::statistics : TextClass::signalling);
  }
}

void note(DeskState& state, Notice::What what, const std::string& stream,
          const SessionRecord& session) {
  state.output.notices.push_back({.what = what,
                                  .stream = stream,
                                  .client = session.identity.name,
                                  .address = session.address,
                                  .reason = {}});
}

void end_leg(DeskState& state, const Moment& moment, const LegKey& key,
             std::optional<LegEndReason> reason) {
  const LegRecord leg = take_leg(state, moment, key);
  if (reason) tell(state, key.session, signalling::LegEnded{key.leg, *reason});
  StreamRecord& stream = *state.find_stream(leg.stream);
  if (leg.role == signalling::LegRole::publication) {
    note(state, Notice::What::unpublished, leg.stream, state.sessions.at(key.session));
    publisher_left(state, moment, leg.stream, stream);
  } else {
    subscriber_left(state, key, leg, stream);
  }
}

void displace_publisher(DeskState& state, const Moment& moment, const StreamRecord& stream) {
  if (!stream.publication) return;
  const LegKey key = *stream.publication;
  static_cast<void>(take_leg(state, moment, key));
  tell(state, key.session, signalling::LegEnded{key.leg, LegEndReason::taken_over});
}

void end_stream(DeskState& state, const Moment& moment, const std::string& name,
                LegEndReason reason) {
  // The last one takes the stream along.
  const std::vector<LegKey> subscriptions = state.find_stream(name)->subscriptions;
  for (const LegKey& key : subscriptions) end_leg(state, moment, key, reason);
}

void give_up_stream(DeskState& state, const Moment& moment, const std::string& name) {
  const StreamRecord& stream = *state.find_stream(name);
  if (!stream.publication) return end_stream(state, moment, name, LegEndReason::stream_ended);
  if (stream.state() == StreamState::waiting) {
    end_leg(state, moment, LegKey(*stream.publication), std::nullopt);
  }
}

void end_session(DeskState& state, const Moment& moment, SessionNumber number) {
  SessionRecord& session = state.sessions.at(number);
  session.connection.reset();
  state.watchers.erase(number);
  while (!session.legs.empty()) {
    end_leg(state, moment, {number, session.legs.begin()->first}, std::nullopt);
  }
  while (!session.waiting.empty()) {
    static_cast<void>(take_waiting(state, *session.waiting.begin()));
  }
  for (const auto kind : {Due::Kind::hold, Due::Kind::expiry, Due::Kind::statistics}) {
    state.deadlines.clear({kind, static_cast<std::uint64_t>(number)});
  }
  state.open_sessions.release(session.counted_as);
  state.sessions_by_id.erase(session.id);
  if (session.is_rest) state.rest_sessions.erase(session.identity.key);
  state.resources.erase(session.resource);
  state.sessions.erase(number);
}

}  // namespace runnel::session
