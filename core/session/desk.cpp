#include "core/session/desk.h"

#include <algorithm>
#include <utility>

#include "core/session/admission.h"
#include "core/session/conversation.h"
#include "core/session/desk_state.h"
#include "core/session/lifecycle.h"
#include "core/session/media_in.h"
#include "core/session/media_out.h"
#include "core/session/peers.h"
#include "core/session/requests.h"
#include "core/session/rest.h"
#include "core/session/voice_gate.h"

namespace runnel::session {
namespace {

constexpr std::uint16_t kGoingAway = 1001;
constexpr std::uint16_t kPolicyViolation = 1008;

std::uint64_t draw_seed(RandomSource& random) {
  return (std::uint64_t{random.u32()} << 32) | random.u32();
}

void flush_intake(DeskState& state, const Moment& moment) noexcept {
  if (state.intake.messages().empty()) return;
  state.engine.handle_messages(moment.now, state.intake.messages());
  state.intake.clear();
}

void add_configured(DeskState& state, const ConfiguredStream& configured) {
  StreamRecord& stream = state.streams[configured.stream];
  stream.number = StreamNumber{++state.last_stream};
  stream.relay = configured.relay;
  stream.is_configured = true;
  state.stream_names.emplace(stream.number, configured.stream);
  for (const ConfiguredStream::Track& track : configured.tracks) {
    stream.tracks.push_back(
        {.name = track.name, .codec = track.codec, .payload_type = track.payload_type});
  }
}

/// Closes the connection of a session whose token has expired, and ends it.
void expire(DeskState& state, const Moment& moment, SessionNumber number) {
  if (!has_expired(state, moment, number)) return;
  const auto connection = state.sessions.at(number).connection;
  if (connection) {
    close_connection(state, *connection, kPolicyViolation, "the token has expired");
    state.connections.at(*connection).session.reset();
  }
  end_session(state, moment, number);
}

void run_due(DeskState& state, const Moment& moment, const Due& due) {
  switch (due.kind) {
    case Due::Kind::hello:
      return close_connection(state, ConnectionId{due.number}, kPolicyViolation,
                              "nobody has said hello");
    case Due::Kind::hold:
      return end_session(state, moment, SessionNumber{due.number});
    case Due::Kind::expiry:
      return expire(state, moment, SessionNumber{due.number});
    case Due::Kind::stream:
      return give_up_stream(state, moment,
                            std::string(state.stream_names.at(StreamNumber{due.number})));
    case Due::Kind::wait:
      return give_up_waiting(state, due.number);
    case Due::Kind::statistics:
      return send_statistics(state, moment, SessionNumber{due.number});
    case Due::Kind::voice:
      return voice_is_due(state, moment, ConnectionId{due.number});
  }
}

}  // namespace

DeskState::DeskState(DeskSettings desk_settings, const auth::Authenticator& desk_authenticator,
                     relay::Engine& relay_engine, RandomSource& random_source)
    : settings(std::move(desk_settings)),
      authenticator(desk_authenticator),
      engine(relay_engine),
      random(random_source),
      failures(static_cast<std::uint32_t>(settings.limits.failed_tries), std::chrono::minutes(1),
               draw_seed(random)),
      requests(rate_of(settings.limits.client_requests_per_second), draw_seed(random)),
      open_sessions(settings.limits.sessions, settings.limits.sessions_per_client,
                    draw_seed(random)) {}

Desk::Desk(DeskSettings settings, const auth::Authenticator& authenticator, relay::Engine& engine,
           RandomSource& random)
    : state_(std::make_unique<DeskState>(std::move(settings), authenticator, engine, random)) {
  for (const ConfiguredStream& configured : state_->settings.configured) {
    add_configured(*state_, configured);
  }
}

Desk::~Desk() = default;

std::expected<ConnectionId, signalling::Error> Desk::connect(const Moment& moment,
                                                             const Client& client) {
  if (state_->shutting_down) {
    return refuse(signalling::ErrorCode::shutting_down, "the server is shutting down");
  }
  if (const auto counted = count_request(*state_, moment, client.address); !counted) {
    return std::unexpected(counted.error());
  }
  std::optional<auth::Identity> identity;
  if (!client.token.empty()) {
    auto identified = identify(*state_, moment, client.address, client.token);
    if (!identified) return std::unexpected(identified.error());
    identity = std::move(*identified);
  }
  const ConnectionId id{++state_->last_connection};
  ConnectionRecord& connection = state_->connections[id];
  connection.address = client.address;
  connection.identity = std::move(identity);
  state_->deadlines.set({Due::Kind::hello, static_cast<std::uint64_t>(id)},
                        moment.now + state_->settings.limits.hello);
  return id;
}

void Desk::receive_text(const Moment& moment, ConnectionId connection, std::string_view text) {
  const ConnectionRecord* record = state_->listening(connection);
  if (record == nullptr) return;
  if (record->voice) {
    take_voice_text(*state_, moment, connection, text);
    flush_intake(*state_, moment);
  } else {
    take_text(*state_, moment, connection, text);
  }
}

bool Desk::receive_binary(const Moment& moment, ConnectionId connection, ByteView message) {
  (void)moment;
  return take_media(*state_, connection, message);
}

void Desk::disconnect(const Moment& moment, ConnectionId connection) {
  lose_connection(*state_, moment, connection);
}

std::expected<ConnectionId, signalling::Error> Desk::connect_voice(const Moment& moment,
                                                                   const Client& client,
                                                                   std::string_view stream,
                                                                   VoiceRole role) {
  if (state_->shutting_down) {
    return refuse(signalling::ErrorCode::shutting_down, "the server is shutting down");
  }
  return open_voice(*state_, moment, client, stream,
                    role == VoiceRole::caller ? voice::Role::caller : voice::Role::agent);
}

RestAnswer Desk::handle(const Moment& moment, const Client& client, const RestRequest& request) {
  return answer_rest(*state_, moment, client, request);
}

void Desk::flush_media(const Moment& moment) noexcept {
  flush_intake(*state_, moment);
}

std::optional<ConnectionId> Desk::connection_of(
    const relay::OutgoingMessage& message) const noexcept {
  const MessageLeg* leg = state_->message_legs.find(message.channel);
  return leg == nullptr ? std::nullopt : leg->connection;
}

std::optional<MediaMessage> Desk::prepare(const Moment& moment,
                                          const relay::OutgoingMessage& message,
                                          std::size_t room) noexcept {
  return prepare_media(*state_, moment, message, room);
}

std::optional<MediaMessage> Desk::prepare_next(std::size_t room) noexcept {
  return prepare_next_frame(*state_, room);
}

void Desk::handle_events(const Moment& moment, std::span<const relay::Event> events) {
  remove_departed_peers(*state_);
  ask_for_key_frames(*state_);
  for (const relay::Event& event : events) take_event(*state_, moment, event);
}

void Desk::handle_peer_events(const Moment& moment, std::span<const transport::Event> events) {
  remove_departed_peers(*state_);
  for (const transport::Event& event : events) take_peer_event(*state_, moment, event);
}

std::optional<PeerOwner> Desk::owner_of(transport::PeerId peer) const noexcept {
  const auto found = state_->peers.find(peer);
  if (found == state_->peers.end()) return std::nullopt;
  const SessionRecord& session = state_->sessions.at(found->second.session);
  const PeerRecord& record = session.peers.at(found->second.peer);
  const bool publishes = std::ranges::any_of(record.legs, [&](signalling::LegNumber leg) {
    const auto carried = session.legs.find(leg);
    return carried != session.legs.end() &&
           carried->second.role == signalling::LegRole::publication;
  });
  return PeerOwner{record.stream, session.identity.name, publishes};
}

void Desk::set_addresses(std::vector<std::string> addresses) {
  state_->settings.addresses = std::move(addresses);
}

void Desk::handle_timeout(const Moment& moment) {
  remove_departed_peers(*state_);
  ask_for_key_frames(*state_);
  // What is due when the intake fills is due again at once.
  while (state_->intake.room() > MediaIntake::kSlots / 2) {
    const auto due = state_->deadlines.take(moment.now);
    if (!due) break;
    run_due(*state_, moment, *due);
  }
  flush_intake(*state_, moment);
}

std::optional<Timestamp> Desk::next_timeout() const noexcept {
  if (!state_->key_frame_wishes.empty() || !state_->departed_peers.empty()) {
    return Timestamp::min();
  }
  return state_->deadlines.earliest();
}

void Desk::shut_down(const Moment& moment) {
  if (std::exchange(state_->shutting_down, true)) return;
  // Browsers would wait for what has gone if nobody told them.
  std::vector<PeerKey> peers;
  for (const auto& [id, key] : state_->peers) peers.push_back(key);
  for (const PeerKey& key : peers) end_peer_legs(*state_, moment, key);
  remove_departed_peers(*state_);
  for (auto& [number, session] : state_->sessions) {
    for (const auto& [leg, record] : session.legs) {
      if (state_->voice_connection_of(number)) break;
      tell(*state_, number, signalling::LegEnded{leg, signalling::LegEndReason::shutting_down});
    }
  }
  for (auto& [id, connection] : state_->connections) {
    close_connection(*state_, id, kGoingAway, "the server is shutting down");
  }
}

void Desk::take_output(Output& out) {
  offer_changes(*state_);
  Output& ours = state_->output;
  out.texts.insert(out.texts.end(), std::make_move_iterator(ours.texts.begin()),
                   std::make_move_iterator(ours.texts.end()));
  out.closings.insert(out.closings.end(), std::make_move_iterator(ours.closings.begin()),
                      std::make_move_iterator(ours.closings.end()));
  out.admitted.insert(out.admitted.end(), ours.admitted.begin(), ours.admitted.end());
  out.notices.insert(out.notices.end(), std::make_move_iterator(ours.notices.begin()),
                     std::make_move_iterator(ours.notices.end()));
  out.resource_events.insert(out.resource_events.end(),
                             std::make_move_iterator(ours.resource_events.begin()),
                             std::make_move_iterator(ours.resource_events.end()));
  ours.clear();
}

Desk::Counts Desk::counts() const noexcept {
  return {.media_drops = state_->media_drops,
          .connections = state_->connections.size(),
          .sessions = state_->sessions.size(),
          .streams = state_->streams.size(),
          .publications = state_->publications,
          .subscriptions = state_->subscriptions,
          .peers = state_->peers.size()};
}

}  // namespace runnel::session
