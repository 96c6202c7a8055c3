// A desk in front of a real engine, on a clock that only tests move: what goes in, and everything
// that comes out.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "core/dtls/context.h"
#include "core/session/desk.h"
#include "core/transport/transports.h"

namespace runnel::session {

using Bytes = std::vector<std::uint8_t>;
using Json = nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::seconds;

class SeededRandom : public RandomSource {
 public:
  void fill(ByteSpan out) noexcept override {
    for (std::uint8_t& byte : out) byte = static_cast<std::uint8_t>(generator_());
  }

 private:
  std::mt19937 generator_{1};
};

inline constexpr relay::PortIndex kMediaPort{0};

/// One shared UDP port, small limits, no network but the client's own.
inline DeskSettings sample_settings() {
  DeskSettings settings;
  settings.server = "runnel test";
  settings.media_ports = {{kMediaPort, *SocketAddress::parse("192.0.2.1:5004")}};
  return settings;
}

/// "alice" has the token "token-of-alice-0123".
inline std::string token_of(std::string_view name) {
  return "token-of-" + std::string(name) + "-0123";
}
inline auth::StaticToken static_token(const std::string& name, auth::Permissions permissions,
                                      std::optional<auth::WallTime> expiry = std::nullopt) {
  return {name, auth::TokenDigest(token_of(name)), std::move(permissions), expiry};
}
template <typename... Tokens>
auth::Settings tokens_only(Tokens... tokens) {
  auth::Settings settings;
  settings.policy = auth::Policy::tokens;
  (settings.tokens.push_back(std::move(tokens)), ...);
  return settings;
}
template <typename... Actions>
auth::Permissions may(std::string pattern, Actions... actions) {
  auth::Permissions permissions;
  permissions.grants.push_back({auth::ActionSet(actions...), {std::move(pattern)}});
  return permissions;
}

/// What has come to one connection, and was not looked at yet.
struct Mailbox {
  std::vector<Json> texts;
  std::vector<std::string> raw_texts;  // as they were sent
  std::vector<Bytes> media;
  std::optional<Closing> closing;
  std::size_t room = 1 << 20;  // for media, in the send queue
};

struct Datagram {
  SocketAddress destination;
  Bytes bytes;
};

/// Somebody at an address, whom datagrams reach.
class Host {
 public:
  virtual ~Host() = default;
  virtual void receive(ByteSpan datagram) = 0;
  [[nodiscard]] virtual std::optional<Timestamp> next_timeout() const = 0;
  virtual void handle_timeout() = 0;
};

struct SceneOptions {
  DeskSettings settings = sample_settings();
  auth::Settings auth = {};
  relay::EngineLimits engine = {};
  transport::TransportLimits transports = {};
  bool has_webrtc = true;
};

/// Of the server; it costs a key pair, so that all tests share it.
[[nodiscard]] const dtls::Context& server_context();

class Scene {
 public:
  static constexpr std::int64_t kStart = 1'900'000'000;  // the calendar, in seconds

  explicit Scene(SceneOptions options = {});

  /// Lets the time pass, and everything happen that is due meanwhile.
  void advance(Duration duration);
  /// What the daemon does after each call of the desk.
  void settle();
  void receive_datagram(const SocketAddress& from, Bytes bytes);
  RestAnswer rest(std::string_view method, std::string_view path, const Json& body = Json(),
                  std::string_view token = {}, std::string_view address = "192.0.2.20");

  Mailbox& mailbox(ConnectionId connection) { return mailboxes[connection]; }
  /// Packets that the engine has dropped for no stream.
  [[nodiscard]] std::size_t relay_count() const { return engine.relay_count(); }

  SeededRandom random;
  transport::Transports transports;
  relay::Engine engine;
  auth::Authenticator authenticator;
  Desk desk;
  Moment moment;
  relay::Outbox outbox;
  std::map<ConnectionId, Mailbox> mailboxes;
  std::vector<Datagram> datagrams;  // to addresses where nobody is
  std::map<SocketAddress, Host*> hosts;
  std::vector<Notice> notices;
  std::vector<ResourceEvent> resource_events;

 private:
  void deliver(const relay::OutgoingMessage& message);
  void take_output();
  void drain();
  [[nodiscard]] std::optional<Timestamp> next_timeout() const;

  std::deque<Datagram> in_flight_;  // to hosts
  bool is_delivering_ = false;
};

}  // namespace runnel::session
