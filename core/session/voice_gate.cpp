#include "core/session/voice_gate.h"

#include <algorithm>
#include <utility>

#include "core/session/admission.h"
#include "core/session/conversation.h"
#include "core/session/requests.h"
#include "core/session/waiting.h"

namespace runnel::session {
namespace {

using signalling::ErrorCode;

constexpr std::string_view kReply = "-reply";
constexpr std::uint16_t kNormalClosure = 1000;
constexpr std::uint16_t kUnsupportedData = 1003;
constexpr std::uint16_t kPolicyViolation = 1008;
constexpr std::uint8_t kPcmuPayloadType = 0;
constexpr auth::RateBucket::Rate kPeerEventRate{.per_second = 50, .burst = 250};
/// The engine takes what the intake holds, and then there is room again.
constexpr Duration kNextMoment = std::chrono::milliseconds(1);

rtp::Codec pcmu() {
  return *rtp::static_payload_type(kPcmuPayloadType);
}

VoiceConnection& voice_of(DeskState& state, ConnectionId id) {
  return *state.connections.at(id).voice;
}

/// The first track that can be heard without transcoding.
Expected<const StreamTrack*> track_to_hear(const StreamRecord& stream) {
  std::string reason = "the stream has no tracks";
  for (const StreamTrack& track : stream.tracks) {
    const auto verdict = voice::check_codec(track.codec);
    if (verdict) return &track;
    reason = verdict.error().text;
  }
  return refuse(ErrorCode::unsupported_codec, reason);
}

/// Without a track while it is not known which there will be.
signalling::Subscribe subscription_to(const std::string& stream, std::string track) {
  signalling::Subscribe wish;
  wish.stream = stream;
  if (!track.empty()) {
    wish.tracks.push_back({std::move(track), std::nullopt, std::nullopt, std::nullopt});
  }
  wish.leg = signalling::WebSocketOffer{};
  return wish;
}

/// Waits as long as the connection lives.
void wait_to_hear(DeskState& state, SessionNumber number, const VoiceConnection& voice) {
  add_waiting(state, {0, number, std::nullopt, subscription_to(voice.heard, {})});
}

/// As signalling has it, and with "-reply" no longer than it may be.
bool is_stream_name(std::string_view name) {
  return auth::is_stream_pattern(std::string(name) + std::string(kReply)) &&
         name.find('*') == name.npos && !name.empty() && name[0] != '-' && name[0] != '.';
}

void begin_to_hear(DeskState& state, ConnectionId id, const signalling::Leg& leg) {
  VoiceConnection& voice = voice_of(state, id);
  voice.subscription = LegKey{*state.connections.at(id).session, leg.leg};
  voice.heard_payload_type = leg.tracks.front().payload_type;
  const LegRecord* record = state.find_leg(*voice.subscription);
  state.message_legs.find(*record->channel)->voice_listener = true;
}

/// A publication begins with its first packet.
Expected<void> ensure_published(DeskState& state, const Moment& moment, SessionNumber number,
                                VoiceConnection& voice) {
  if (voice.publication) return {};
  signalling::Publish wish;
  wish.stream = voice.published;
  wish.tracks.push_back({.name = "audio",
                         .codec = pcmu(),
                         .payload_type = kPcmuPayloadType,
                         .ssrc = voice.ssrc,
                         .from = std::nullopt});
  wish.leg = signalling::WebSocketOffer{};
  const auto published = handle(state, Call{moment, number, std::nullopt}, wish);
  if (!published) return std::unexpected(published.error());
  voice.publication = LegKey{number, std::get<signalling::Leg>(*published).leg};
  return {};
}

/// As many as there is room for; the others go on in the next moment.
void publish_packets(DeskState& state, VoiceConnection& voice) {
  const LegRecord* leg = voice.publication ? state.find_leg(*voice.publication) : nullptr;
  if (leg == nullptr) return voice.packets.clear();
  for (; !voice.packets.empty() && state.intake.room() > 0; voice.packets.pop_front()) {
    const ByteView packet = voice.packets.front().bytes();
    copy_bytes(state.intake.next_slot(), packet);
    state.intake.push(*leg->channel, leg->relay, 0, packet.size());
  }
}

/// Keys and marks come at the pace of people and sentences; what comes faster goes no further, as
/// its reader could not keep up.
void tell_peers(DeskState& state, const Moment& moment, VoiceConnection& voice,
                std::span<const voice::PeerEvent> events) {
  for (const voice::PeerEvent& event : events) {
    if (voice.peer_events.take(kPeerEventRate, moment.now)) {
      ++state.media_drops.peer_events;
      continue;
    }
    for (const ConnectionId id : state.voice_connections.at(voice.stream)) {
      VoiceConnection& peer = voice_of(state, id);
      if (peer.dialect.role() == voice.dialect.role()) continue;
      voice::Output output;
      peer.dialect.relay(event, output);
      for (std::string& text : output.texts) state.say(id, std::move(text));
    }
  }
}

void set_deadline(DeskState& state, const Moment& moment, ConnectionId id,
                  const VoiceConnection& voice) {
  const Due due{Due::Kind::voice, static_cast<std::uint64_t>(id)};
  auto next = voice.dialect.next_timeout();
  if (!voice.packets.empty()) next = moment.now + kNextMoment;
  if (next) {
    state.deadlines.set(due, *next);
  } else {
    state.deadlines.clear(due);
  }
}

/// Does what a call of the dialect wants done.
void carry_out(DeskState& state, const Moment& moment, ConnectionId id, voice::Output& output) {
  VoiceConnection& voice = voice_of(state, id);
  for (std::string& text : output.texts) state.say(id, std::move(text));
  if (!output.packets.empty()) {
    const SessionNumber number = *state.connections.at(id).session;
    if (const auto published = ensure_published(state, moment, number, voice); !published) {
      return close_connection(state, id, kPolicyViolation, published.error().text);
    }
    voice.packets.insert(voice.packets.end(), output.packets.begin(), output.packets.end());
  }
  publish_packets(state, voice);
  tell_peers(state, moment, voice, output.peer_events);
  set_deadline(state, moment, id, voice);
  if (voice.dialect.finished() && voice.packets.empty())
    close_connection(state, id, kNormalClosure, "stop");
}

Expected<void> check_permissions(const auth::Identity& identity, const std::string& heard,
                                 const std::string& published) {
  if (!identity.permissions.allows(auth::Action::publish, published)) {
    return refuse(ErrorCode::forbidden, "this token does not allow to publish '" + published + "'");
  }
  if (!identity.permissions.allows(auth::Action::subscribe, heard)) {
    return refuse(ErrorCode::forbidden,
                  "this token does not allow to subscribe to '" + heard + "'");
  }
  return {};
}

voice::Options options_of(DeskState& state, const std::string& stream) {
  voice::Options options;
  options.stream = stream;
  state.random.fill(options.id);
  options.payload_type = kPcmuPayloadType;
  options.ssrc = state.random.u32();
  options.first_sequence_number = static_cast<std::uint16_t>(state.random.u32() & 0x7fff);
  options.first_timestamp = {state.random.u32()};
  options.max_message = state.settings.limits.message;
  return options;
}

}  // namespace

Expected<ConnectionId> open_voice(DeskState& state, const Moment& moment, const Client& client,
                                  std::string_view stream, voice::Role role) {
  if (const auto counted = count_request(state, moment, client.address); !counted) {
    return std::unexpected(counted.error());
  }
  auto identity = identify(state, moment, client.address, client.token);
  if (!identity) return std::unexpected(identity.error());
  if (const auto counted = count_request(state, moment, identity->key); !counted) {
    return std::unexpected(counted.error());
  }
  if (!is_stream_name(stream)) {
    return refuse(ErrorCode::bad_request, "this is no name of a stream");
  }
  const std::string name(stream);
  const std::string reply = name + std::string(kReply);
  const bool is_caller = role == voice::Role::caller;
  const std::string& heard = is_caller ? reply : name;
  const std::string& published = is_caller ? name : reply;
  if (const auto may = check_permissions(*identity, heard, published); !may) {
    return std::unexpected(may.error());
  }
  if (const StreamRecord* record = state.find_stream(heard);
      record != nullptr && record->has_publisher()) {
    if (const auto track = track_to_hear(*record); !track) return std::unexpected(track.error());
  }
  const auto number = open_session(state, moment, std::move(*identity), client.address, {});
  if (!number) return std::unexpected(number.error());
  const ConnectionId id{++state.last_connection};
  ConnectionRecord& connection = state.connections[id];
  connection.address = client.address;
  connection.session = *number;
  const voice::Options options = options_of(state, name);
  connection.voice = std::make_unique<VoiceConnection>(
      VoiceConnection{.dialect = voice::Session(role, options, moment.now),
                      .stream = name,
                      .heard = heard,
                      .published = published,
                      .ssrc = options.ssrc,
                      .publication = std::nullopt,
                      .subscription = std::nullopt,
                      .packets = {},
                      .peer_events = {}});
  state.sessions.at(*number).connection = id;
  state.voice_connections[name].insert(id);
  state.output.admitted.push_back(id);
  voice::Output output;
  connection.voice->dialect.begin(output);
  carry_out(state, moment, id, output);
  listen(state, moment, id);
  return id;
}

void take_voice_text(DeskState& state, const Moment& moment, ConnectionId id,
                     std::string_view text) {
  voice::Output output;
  const auto received = voice_of(state, id).dialect.receive(moment.now, text, output);
  carry_out(state, moment, id, output);
  if (!received) {
    close_connection(state, id, voice::close_code(received.error().code), received.error().text);
  }
}

void play_to_voice(DeskState& state, const Moment& moment, const MessageLeg& leg, ByteView packet) {
  if (!leg.connection) return;
  VoiceConnection& voice = voice_of(state, *leg.connection);
  voice::Output output;
  voice.dialect.deliver(moment.now, packet, voice.heard_payload_type, output);
  for (std::string& text : output.texts) {
    state.say(*leg.connection, std::move(text), TextClass::statistics);
  }
}

void voice_is_due(DeskState& state, const Moment& moment, ConnectionId id) {
  voice::Output output;
  voice_of(state, id).dialect.handle_timeout(moment.now, output);
  carry_out(state, moment, id, output);
}

void forget_voice(DeskState& state, ConnectionId id) {
  const auto peers = state.voice_connections.find(voice_of(state, id).stream);
  peers->second.erase(id);
  if (peers->second.empty()) state.voice_connections.erase(peers);
}

void listen(DeskState& state, const Moment& moment, ConnectionId id) {
  if (state.listening(id) == nullptr) return;
  const VoiceConnection& voice = voice_of(state, id);
  const SessionNumber number = *state.connections.at(id).session;
  const StreamRecord* stream = state.find_stream(voice.heard);
  if (stream == nullptr || !stream->has_publisher()) return wait_to_hear(state, number, voice);
  const auto track = track_to_hear(*stream);
  if (!track) return close_connection(state, id, kUnsupportedData, track.error().text);
  const auto result = handle(state, Call{moment, number, std::nullopt},
                             subscription_to(voice.heard, (*track)->name));
  if (!*result) return close_connection(state, id, kPolicyViolation, result->error().text);
  begin_to_hear(state, id, std::get<signalling::Leg>(**result));
}

void voice_leg_ended(DeskState& state, ConnectionId id, const signalling::LegEnded& event) {
  if (state.listening(id) == nullptr) return;
  VoiceConnection& voice = voice_of(state, id);
  if (voice.publication && voice.publication->leg == event.leg) {
    return close_connection(state, id, kPolicyViolation, "somebody else publishes this stream");
  }
  voice.subscription.reset();
  if (voice.dialect.role() == voice::Role::caller) {
    return wait_to_hear(state, *state.connections.at(id).session, voice);
  }
  voice::Output output;
  voice.dialect.end(output);
  for (std::string& text : output.texts) state.say(id, std::move(text));
  close_connection(state, id, kNormalClosure, "the stream has ended");
}

}  // namespace runnel::session
