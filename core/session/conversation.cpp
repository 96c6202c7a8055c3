#include "core/session/conversation.h"

#include <utility>

#include "core/session/admission.h"
#include "core/session/lifecycle.h"
#include "core/session/peers.h"
#include "core/session/requests.h"
#include "core/session/voice_gate.h"
#include "core/session/waiting.h"
#include "core/signalling/codec.h"

namespace runnel::session {
namespace {

using signalling::ErrorCode;
using signalling::RequestId;

constexpr std::uint16_t kNormalClosure = 1000;
constexpr std::uint16_t kPolicyViolation = 1008;

void set_connection(DeskState& state, SessionRecord& session,
                    std::optional<ConnectionId> connection) {
  session.connection = connection;
  for (auto& [number, leg] : session.legs) {
    if (!leg.channel) continue;
    MessageLeg* message_leg = state.message_legs.find(*leg.channel);
    message_leg->connection = connection;
    message_leg->begin_anew();
    if (leg.role == signalling::LegRole::publication || leg.paused) continue;
    // Nobody is there to take it; when somebody is again, the media goes on with a key frame.
    state.engine.set_paused(leg.relay, *leg.receiver, !connection);
  }
}

signalling::HelloAnswer hello_answer(const DeskState& state, const SessionRecord& session,
                                     bool resumed) {
  const DeskLimits& limits = state.settings.limits;
  signalling::HelloAnswer answer;
  answer.session = session.id;
  answer.resumed = resumed;
  answer.hold = std::chrono::ceil<std::chrono::milliseconds>(limits.hold);
  answer.limits = {.message_size = limits.message,
                   .legs = limits.legs_per_session,
                   .requests_per_second = limits.requests_per_second};
  answer.server = state.settings.server;
  for (const auto& [number, leg] : session.legs) {
    signalling::Leg told;
    told.leg = number;
    told.role = leg.role;
    told.stream = leg.stream;
    for (const LegTrack& track : leg.tracks) {
      told.tracks.push_back(track.told);
      if (!leg.receiver) continue;
      // Behind a BYE it has become another one.
      told.tracks.back().ssrc =
          state.engine.receiver_ssrc({leg.relay, *leg.receiver, track.medium});
    }
    if (leg.peer) told.webrtc.emplace().peer = *leg.peer;
    told.format = leg.format;
    told.paused = leg.paused;
    answer.legs.push_back(std::move(told));
  }
  return answer;
}

/// What the client's new token does not allow has come with an older one.
void end_forbidden_legs(DeskState& state, const Moment& moment, SessionNumber number) {
  std::vector<LegKey> forbidden;
  const SessionRecord& session = state.sessions.at(number);
  for (const auto& [leg, record] : session.legs) {
    if (!allows(session.identity, record)) forbidden.push_back({number, leg});
  }
  for (const LegKey& key : forbidden) end_leg(state, moment, key, std::nullopt);
}

Expected<SessionNumber> resume(DeskState& state, const Moment& moment,
                               const auth::Identity& identity, const std::string& id) {
  const auto found = state.sessions_by_id.find(id);
  if (found == state.sessions_by_id.end() ||
      state.sessions.at(found->second).identity.key != identity.key) {
    return refuse(ErrorCode::unknown_session, "there is no session to resume; begin a new one");
  }
  const SessionNumber number = found->second;
  adopt_identity(state, moment, number, identity);
  end_forbidden_legs(state, moment, number);
  return number;
}

Result greet(DeskState& state, const Moment& moment, ConnectionId id, ConnectionRecord& connection,
             const signalling::Hello& hello) {
  bool speaks_ours = hello.versions.empty();
  for (const int version : hello.versions) speaks_ours |= version == signalling::kProtocolVersion;
  if (!speaks_ours) {
    return refuse(ErrorCode::unsupported_version, "this server speaks version 1");
  }
  Expected<auth::Identity> identity =
      connection.identity && !hello.token
          ? Expected<auth::Identity>(*connection.identity)
          : identify(state, moment, connection.address, hello.token.value_or(""));
  if (!identity) return std::unexpected(identity.error());
  const auto number = hello.resume
                          ? resume(state, moment, *identity, *hello.resume)
                          : open_session(state, moment, std::move(*identity), connection.address,
                                         draw_session_id(state.random));
  if (!number) return std::unexpected(number.error());
  SessionRecord& session = state.sessions.at(*number);
  if (session.connection) {
    ConnectionRecord& before = state.connections.at(*session.connection);
    before.session.reset();
    close_connection(state, *session.connection, kPolicyViolation, "resumed by another connection");
  }
  state.deadlines.clear({Due::Kind::hello, static_cast<std::uint64_t>(id)});
  state.deadlines.clear({Due::Kind::hold, static_cast<std::uint64_t>(*number)});
  connection.session = *number;
  state.output.admitted.push_back(id);
  session.address = connection.address;
  set_connection(state, session, id);
  return hello_answer(state, session, hello.resume.has_value());
}

void answer(DeskState& state, ConnectionId connection, RequestId id, const Result& result) {
  std::string text =
      result ? signalling::encode(id, *result) : signalling::encode(id, result.error());
  if (text.size() > state.settings.limits.answer) {
    // It would not fit into the queue, and close the connection.
    text = signalling::encode(
        id,
        signalling::Error{
            ErrorCode::too_large, "the answer would be too long; ask for less, or by REST", {}});
  }
  state.say(connection, std::move(text));
}

/// One overload for each verb that a session has.
class Attendant {
 public:
  Attendant(DeskState& state, const Call& call) : state_(state), call_(call) {}

  std::optional<Result> operator()(signalling::Hello&&) const {
    return refuse(ErrorCode::bad_request, "this connection has said hello already");
  }
  std::optional<Result> operator()(signalling::Bye&&) const { return signalling::Done{}; }
  std::optional<Result> operator()(signalling::Subscribe&& wish) const {
    return handle(state_, call_, std::move(wish));
  }
  template <typename Verb>
  std::optional<Result> operator()(Verb&& wish) const {
    return handle(state_, call_, wish);
  }

 private:
  DeskState& state_;
  const Call& call_;
};

void take_hello(DeskState& state, const Moment& moment, ConnectionId id,
                ConnectionRecord& connection, signalling::IncomingRequest&& incoming) {
  const auto* hello = std::get_if<signalling::Hello>(&incoming.request);
  if (hello == nullptr) {
    return answer(state, id, incoming.id, refuse(ErrorCode::hello_first, "say hello first"));
  }
  const Result result = greet(state, moment, id, connection, *hello);
  answer(state, id, incoming.id, result);
  if (result) repeat_offers(state, *connection.session);
  // Whoever does not get in by its token is not to stay and try others.
  if (!result && (result.error().code == ErrorCode::not_authorized ||
                  result.error().code == ErrorCode::rate_limited)) {
    close_connection(state, id, kPolicyViolation, result.error().text);
  }
}

void take_request(DeskState& state, const Moment& moment, ConnectionId id, SessionNumber number,
                  signalling::IncomingRequest&& incoming) {
  const bool is_bye = std::holds_alternative<signalling::Bye>(incoming.request);
  const Call call{moment, number, incoming.id};
  const auto result = std::visit(Attendant(state, call), std::move(incoming.request));
  if (result) answer(state, id, incoming.id, *result);
  if (!is_bye) return;
  end_session(state, moment, number);
  state.connections.at(id).session.reset();
  close_connection(state, id, kNormalClosure, "bye");
}

/// Of this connection, and of its client over all connections.
Expected<void> count(DeskState& state, const Moment& moment, ConnectionRecord& connection) {
  const auto rate = rate_of(state.settings.limits.requests_per_second);
  if (const auto wait = connection.requests.take(rate, moment.now)) {
    return refuse(ErrorCode::rate_limited, "requests come too fast",
                  std::chrono::ceil<std::chrono::milliseconds>(*wait));
  }
  const auto counted = count_request(state, moment, connection.address);
  if (!counted || !connection.session) return counted;
  return count_request(state, moment, state.sessions.at(*connection.session).identity.key);
}

}  // namespace

void take_text(DeskState& state, const Moment& moment, ConnectionId id, std::string_view text) {
  ConnectionRecord& connection = state.connections.at(id);
  auto incoming = signalling::decode(text);
  if (const auto counted = count(state, moment, connection); !counted) {
    state.say(id,
              signalling::encode(incoming ? incoming->id : incoming.error().id, counted.error()));
    if (++connection.refused_requests > kMostRefusedRequests) {
      close_connection(state, id, kPolicyViolation, counted.error().text);
    }
    return;
  }
  connection.refused_requests = 0;
  if (!incoming) {
    state.say(id, signalling::encode(incoming.error().id, incoming.error().error));
  } else if (connection.session) {
    take_request(state, moment, id, *connection.session, std::move(*incoming));
  } else {
    take_hello(state, moment, id, connection, std::move(*incoming));
  }
}

void close_connection(DeskState& state, ConnectionId id, std::uint16_t code, std::string reason) {
  ConnectionRecord& connection = state.connections.at(id);
  if (std::exchange(connection.is_closing, true)) return;
  for (const auto kind : {Due::Kind::hello, Due::Kind::voice}) {
    state.deadlines.clear({kind, static_cast<std::uint64_t>(id)});
  }
  state.close(id, code, std::move(reason));
}

void lose_connection(DeskState& state, const Moment& moment, ConnectionId id) {
  const auto found = state.connections.find(id);
  if (found == state.connections.end()) return;
  const auto number = found->second.session;
  for (const auto kind : {Due::Kind::hello, Due::Kind::voice}) {
    state.deadlines.clear({kind, static_cast<std::uint64_t>(id)});
  }
  const bool is_voice = found->second.voice != nullptr;
  if (is_voice) forget_voice(state, id);
  state.connections.erase(found);
  if (!number) return;
  // Nobody is there to be answered, and to be told the keys of a leg.
  const std::set<std::uint64_t> waiting = state.sessions.at(*number).waiting;
  for (const std::uint64_t entry : waiting) static_cast<void>(take_waiting(state, entry));
  // Without legs there is nothing to come back for.
  if (is_voice || state.sessions.at(*number).legs.empty()) {
    return end_session(state, moment, *number);
  }
  set_connection(state, state.sessions.at(*number), std::nullopt);
  state.deadlines.set({Due::Kind::hold, static_cast<std::uint64_t>(*number)},
                      moment.now + state.settings.limits.hold);
}

}  // namespace runnel::session
