// The tables of the desk. Plain data: what is done with it stands in the files that are named after
// what they do.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/auth/authenticator.h"
#include "core/auth/connection_limits.h"
#include "core/auth/rate_limiter.h"
#include "core/relay/engine.h"
#include "core/session/deadlines.h"
#include "core/session/desk.h"
#include "core/session/media_intake.h"
#include "core/session/message_leg.h"
#include "core/session/moment.h"
#include "core/session/session_record.h"
#include "core/session/stream_record.h"
#include "core/session/voice_connection.h"

namespace runnel::session {

/// Requests in a row that are refused for coming too fast, before the connection is closed.
inline constexpr std::size_t kMostRefusedRequests = 1'000;

struct ConnectionRecord {
  IpAddress address;
  std::optional<auth::Identity> identity;  // by its request's header
  std::optional<SessionNumber> session;    // once it has said hello
  bool is_closing = false;                 // it has been told so; nothing more is heard
  auth::RateBucket requests;
  std::size_t refused_requests = 0;  // in a row, for coming too fast
  std::unique_ptr<VoiceConnection> voice;
};

/// While the frames that one packet has completed are handed out (Desk::prepare_next).
struct PreparingFrames {
  relay::ChannelId channel{};
  std::size_t medium = 0;
  Moment moment;
  std::uint32_t owner = 0;
};

/// A track of a websocket subscription to whose reader a key frame would help.
struct KeyFrameWish {
  relay::ChannelId channel{};
  std::size_t medium = 0;
};

/// A burst may be twice what is allowed in a second.
[[nodiscard]] inline auth::RateBucket::Rate rate_of(std::size_t per_second) noexcept {
  const auto rate = static_cast<std::uint32_t>(per_second);
  return {.per_second = rate, .burst = 2 * rate};
}

/// Whom limits count: the token, or where there is none the address.
[[nodiscard]] inline auth::LimitKey limit_key(const auth::Identity& identity,
                                              const IpAddress& address) noexcept {
  return identity.key != 0 ? auth::LimitKey::of_token(identity.key)
                           : auth::LimitKey::of_address(address);
}

struct DeskState {
  DeskState(DeskSettings desk_settings, const auth::Authenticator& desk_authenticator,
            relay::Engine& relay_engine, RandomSource& random_source);

  DeskSettings settings;
  const auth::Authenticator& authenticator;
  relay::Engine& engine;
  RandomSource& random;

  std::unordered_map<ConnectionId, ConnectionRecord> connections;
  std::unordered_map<SessionNumber, SessionRecord> sessions;
  std::unordered_map<std::string, SessionNumber> sessions_by_id;
  std::unordered_map<std::uint64_t, SessionNumber> rest_sessions;  // by Identity::key
  std::unordered_map<std::string, SessionNumber> resources;        // of WHIP and WHEP
  std::unordered_map<transport::PeerId, PeerKey> peers;
  std::set<PeerKey> changed_peers;                // whose client may have to be offered something
  std::vector<transport::PeerId> departed_peers;  // that the engine still has to say good-bye to
  std::map<std::string, StreamRecord, std::less<>> streams;  // in the order of their names
  std::unordered_map<StreamNumber, std::string> stream_names;
  std::unordered_map<std::uint64_t, WaitingSubscription> waiting;  // by number
  std::set<std::pair<std::string, std::uint64_t>> waiting_by_stream;
  std::size_t waiting_offers = 0;                                   // bytes of SDP in `waiting`
  std::map<std::string, std::set<ConnectionId>> voice_connections;  // by stream, without "-reply"
  std::set<SessionNumber> watchers;                                 // sessions that watch anything
  MessageLegs message_legs;
  MediaIntake intake;
  Deadlines deadlines;
  auth::FailureLimiter failures;         // tokens that are not accepted, by address
  auth::RateLimiter requests;            // by address or token, of REST and of connections
  auth::ConnectionLimits open_sessions;  // in all and by address or token
  Output output;

  std::uint64_t last_connection = 0;
  std::uint64_t last_session = 0;
  std::uint64_t last_stream = 0;
  std::uint64_t last_waiting = 0;
  Desk::MediaDrops media_drops;
  std::size_t publications = 0;
  std::size_t subscriptions = 0;
  bool shutting_down = false;

  std::optional<PreparingFrames> preparing;
  std::vector<KeyFrameWish> key_frame_wishes;  // asked for when the engine is drained

  /// nullptr: nothing more is heard of it.
  [[nodiscard]] ConnectionRecord* listening(ConnectionId connection) noexcept {
    const auto found = connections.find(connection);
    return found == connections.end() || found->second.is_closing ? nullptr : &found->second;
  }
  [[nodiscard]] StreamRecord* find_stream(std::string_view name) noexcept {
    const auto found = streams.find(name);
    return found == streams.end() ? nullptr : &found->second;
  }
  /// nullptr: it is gone.
  [[nodiscard]] LegRecord* find_leg(const LegKey& key) noexcept {
    const auto session = sessions.find(key.session);
    if (session == sessions.end()) return nullptr;
    const auto leg = session->second.legs.find(key.leg);
    return leg == session->second.legs.end() ? nullptr : &leg->second;
  }

  /// The connection of a session, if that is a voice connection.
  [[nodiscard]] std::optional<ConnectionId> voice_connection_of(SessionNumber number) noexcept {
    const auto session = sessions.find(number);
    if (session == sessions.end() || !session->second.connection) return std::nullopt;
    const auto connection = connections.find(*session->second.connection);
    const bool is_voice = connection != connections.end() && connection->second.voice;
    return is_voice ? session->second.connection : std::nullopt;
  }

  void say(ConnectionId connection, std::string text,
           TextClass text_class = TextClass::signalling) {
    if (listening(connection) == nullptr) return;
    output.texts.push_back({connection, text_class, std::move(text)});
  }
  void close(ConnectionId connection, std::uint16_t code, std::string reason) {
    output.closings.push_back({connection, code, std::move(reason)});
  }
};

}  // namespace runnel::session
