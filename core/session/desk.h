// Where clients are served: sessions, what they publish and subscribe to, and who may do so. One
// code path behind the WebSocket protocol, REST and the voice dialect. Text, media and time in;
// texts, media and calls of the engine out.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/auth/authenticator.h"
#include "core/base/address.h"
#include "core/base/bytes.h"
#include "core/base/random.h"
#include "core/relay/engine.h"
#include "core/session/connection_id.h"
#include "core/session/moment.h"
#include "core/session/resource.h"
#include "core/session/settings.h"
#include "core/signalling/answer.h"
#include "core/signalling/error.h"
#include "core/transport/event.h"

namespace runnel::session {

/// Who is at the other end, as far as the transport knows.
struct Client {
  IpAddress address;
  /// From the Authorization header, or the query where that is allowed; empty: none.
  std::string_view token;
};

enum class TextClass : std::uint8_t {
  signalling,  // is never dropped: when there is no room, the connection closes
  statistics,  // may be dropped when the client reads too slowly
};
struct OutgoingText {
  ConnectionId connection{};
  TextClass text_class = TextClass::signalling;
  std::string text;
};
/// The desk is done with a connection: what waits is sent first.
struct Closing {
  ConnectionId connection{};
  std::uint16_t code = 1000;  // RFC 6455 §7.4
  std::string reason;
};
/// What an operator wants to read of clients, one line each.
struct Notice {
  enum class What : std::uint8_t {
    published,
    taken_over,
    unpublished,     // by the publisher, or with its session
    stopped,         // by an administrator, who is told of
    token_refused,   // at most DeskLimits::failed_tries of an address in a minute
    tokens_ignored,  // an address has failed so often that it has to wait
  };
  What what = What::published;
  std::string stream;  // empty of tokens
  std::string client;  // Identity::name
  IpAddress address;
  std::string_view reason;  // of a refused token: auth::to_string
};
/// Whose a peer connection is, for a log line about it. Valid until the next call of the desk.
struct PeerOwner {
  std::string_view stream;  // of its first leg
  std::string_view client;  // Identity::name
  bool publishes = false;   // it carries a publication
};
/// What the calls since the last `take_output` want said.
struct Output {
  std::vector<OutgoingText> texts;
  std::vector<Closing> closings;
  /// Those whose client is known from now on; before, they are to be given little of anything.
  std::vector<ConnectionId> admitted;
  std::vector<Notice> notices;
  std::vector<ResourceEvent> resource_events;

  void clear() {
    texts.clear();
    closings.clear();
    admitted.clear();
    notices.clear();
    resource_events.clear();
  }
};

/// One RTP packet or encoded frame for a websocket leg: a binary message of `header` and `payload`.
/// Valid until the next call of the desk, and as long as the outbox is not cleared.
struct MediaMessage {
  std::array<std::uint8_t, 12> header{};
  std::size_t header_size = 0;
  ByteView payload;
};

/// A REST call, already routed to /v1/streams and below.
struct RestRequest {
  std::string_view method;  // "GET"
  std::string_view path;    // "/v1/streams/camera-1/publication", still percent-encoded
  std::string_view query;
  std::string_view body;
};
struct RestAnswer {
  int status = 200;
  std::string body;                                 // JSON; problem JSON from 400 on
  std::string location;                             // with 201
  std::string allow;                                // with 405
  std::optional<std::chrono::seconds> retry_after;  // with 409, 429 and 503
};

struct DeskState;

/// Use: every call below is made while the engine is drained, and is followed by draining the
/// engine, `handle_events` for what it tells, and `take_output`. One thread; nothing calls back.
class Desk {
 public:
  /// `authenticator`, `engine` and `random` must outlive the desk.
  Desk(DeskSettings settings, const auth::Authenticator& authenticator, relay::Engine& engine,
       RandomSource& random);
  ~Desk();
  Desk(const Desk&) = delete;
  Desk& operator=(const Desk&) = delete;

  // A WebSocket of subprotocol runnel.v1.

  /// Before the upgrade is answered. A token in the header is looked at here already; without one
  /// the connection has to bring it with its hello.
  [[nodiscard]] std::expected<ConnectionId, signalling::Error> connect(const Moment& moment,
                                                                       const Client& client);
  void receive_text(const Moment& moment, ConnectionId connection, std::string_view text);
  /// One media message. It is kept for `flush_media`; false when that has to be called first, and
  /// then the same message again.
  [[nodiscard]] bool receive_binary(const Moment& moment, ConnectionId connection,
                                    ByteView message);
  /// The socket is gone; its session stays for `hold`, unless it said bye.
  void disconnect(const Moment& moment, ConnectionId connection);

  // GET /v1/voice/{stream}.

  enum class VoiceRole : std::uint8_t { caller, agent };
  [[nodiscard]] std::expected<ConnectionId, signalling::Error> connect_voice(
      const Moment& moment, const Client& client, std::string_view stream, VoiceRole role);

  // REST.

  [[nodiscard]] RestAnswer handle(const Moment& moment, const Client& client,
                                  const RestRequest& request);

  // WHIP and WHEP. Each resource is a session of its own, and ends with its peer connection, or
  // with the token that it was made with. Whoever asks about one must have a token of the same
  // identity, or may administer the stream; otherwise `forbidden`. `unknown_session`: it has ended,
  // or there was none.

  [[nodiscard]] std::expected<NewResource, signalling::Error> create_resource(const Moment& moment,
                                                                              const Client& client,
                                                                              PublishByOffer wish);
  [[nodiscard]] std::expected<NewResource, signalling::Error> create_resource(
      const Moment& moment, const Client& client, SubscribeByOffer wish);
  [[nodiscard]] std::expected<ResourceStatus, signalling::Error> status_of_resource(
      const Moment& moment, const Client& client, const ResourceName& resource);
  /// To the server's offer. `stale_answer`: none is open.
  [[nodiscard]] std::expected<void, signalling::Error> answer_resource(const Moment& moment,
                                                                       const Client& client,
                                                                       const ResourceName& resource,
                                                                       std::string_view sdp);
  /// ICE restart by the credentials of a fragment.
  [[nodiscard]] std::expected<RestartedResource, signalling::Error> restart_resource(
      const Moment& moment, const Client& client, const ResourceName& resource,
      std::string_view ufrag, std::string_view password);
  [[nodiscard]] std::expected<void, signalling::Error> end_resource(const Moment& moment,
                                                                    const Client& client,
                                                                    const ResourceName& resource);
  /// Of a WHEP client: which encoding it wants.
  [[nodiscard]] std::expected<void, signalling::Error> choose_layers(const Moment& moment,
                                                                     const Client& client,
                                                                     const ResourceName& resource,
                                                                     const relay::LayerWish& wish);
  /// Whether it has not ended. For whoever may know of it already.
  [[nodiscard]] bool has_resource(std::string_view id) const;
  /// Of a WHEP client, by m-lines of video. For whoever may know of it already.
  [[nodiscard]] std::vector<ResourceLayers> layers_of_resource(std::string_view id) const;
  /// For whoever may know of it already; nullopt: there is no such stream.
  [[nodiscard]] std::optional<signalling::StreamSummary> summary_of_stream(
      std::string_view stream) const;

  // Media.

  /// Hands the engine what `receive_binary` has kept. The engine has to be drained afterwards, and
  /// before the next call.
  void flush_media(const Moment& moment) noexcept;
  /// Whose websocket leg a message of the engine is for; nullopt when its connection is gone.
  [[nodiscard]] std::optional<ConnectionId> connection_of(
      const relay::OutgoingMessage& message) const noexcept;
  /// What is to be sent of it to that connection, whose send queue has room for `room` bytes of
  /// media; nullopt: nothing (dropped, with a reason counted; part of a frame; RTCP, which became
  /// a text).
  [[nodiscard]] std::optional<MediaMessage> prepare(const Moment& moment,
                                                    const relay::OutgoingMessage& message,
                                                    std::size_t room) noexcept;
  /// A packet may complete several frames: the further ones, until nullopt. `room` as it is now.
  [[nodiscard]] std::optional<MediaMessage> prepare_next(std::size_t room) noexcept;

  // What happens by itself.

  void handle_events(const Moment& moment, std::span<const relay::Event> events);
  /// What Engine::take_peer_events has answered.
  void handle_peer_events(const Moment& moment, std::span<const transport::Event> events);
  /// nullopt: it has no legs any more.
  [[nodiscard]] std::optional<PeerOwner> owner_of(transport::PeerId peer) const noexcept;
  /// What is announced from now on (DeskSettings::addresses), since names have been resolved anew.
  void set_addresses(std::vector<std::string> addresses);
  void handle_timeout(const Moment& moment);
  [[nodiscard]] std::optional<Timestamp> next_timeout() const noexcept;
  /// Tells every client, and closes all connections with 1001.
  void shut_down(const Moment& moment);

  /// Appends to `out` and forgets.
  void take_output(Output& out);

  /// Binary messages that went no further.
  struct MediaDrops {
    std::uint64_t oversized = 0;        // a packet longer than any datagram
    std::uint64_t malformed = 0;        // a frame that is none of its codec
    std::uint64_t unknown_channel = 0;  // such as those on the way when their leg ended
    std::uint64_t wrong_kind = 0;       // to a subscription, or packets where frames were agreed
    std::uint64_t peer_events = 0;      // of voice connections, that came too fast
  };
  struct Counts {
    MediaDrops media_drops;
    std::size_t connections = 0;
    std::size_t sessions = 0;
    std::size_t streams = 0;
    std::size_t publications = 0;
    std::size_t subscriptions = 0;
    std::size_t peers = 0;
  };
  [[nodiscard]] Counts counts() const noexcept;

 private:
  std::unique_ptr<DeskState> state_;
};

}  // namespace runnel::session
