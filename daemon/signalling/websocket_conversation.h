// A WebSocket on one connection: what comes in as events, what goes out under the limits of its
// output.
#pragma once

#include <optional>
#include <string_view>

#include "core/base/bytes.h"
#include "core/base/time.h"
#include "core/session/desk.h"
#include "core/websocket/connection.h"
#include "daemon/signalling/output.h"

namespace runnel::daemon {

struct WebSocketSettings {
  websocket::Limits limits;
  /// Of clients that the desk has not admitted yet: a hello with a token fits.
  websocket::Limits limits_for_strangers{.max_frame_size = 16 * 1024,
                                         .max_message_size = 16 * 1024,
                                         .max_fragments = 16,
                                         .kept_buffer_size = 0};
  Duration ping_interval = std::chrono::seconds(20);
  Duration close_timeout = std::chrono::seconds(5);
};

/// Nothing of signalling is ever lost without the connection: a client that does not read is closed
/// with 1013.
class WebSocketConversation {
 public:
  /// `settings` and `output` must outlive it.
  WebSocketConversation(const WebSocketSettings& settings, session::ConnectionId id,
                        const std::optional<websocket::DeflateParameters>& deflate, Timestamp now,
                        Output& output);

  [[nodiscard]] session::ConnectionId id() const noexcept { return id_; }

  /// The desk knows who it is.
  void admit() noexcept { socket_.raise_limits(settings_.limits); }

  /// As websocket::Connection. Pongs and Close frames that events ask for go to the output.
  void receive(Timestamp now, ByteSpan bytes) noexcept { socket_.receive(now, bytes); }
  [[nodiscard]] std::optional<websocket::Event> next();
  void transport_closed() noexcept { socket_.transport_closed(); }

  /// For the next flush of the output.
  void send_text(Timestamp now, session::TextClass text_class, std::string_view text);
  /// At once, together with what waits; with `more` for the next flush.
  void send_media(const session::MediaMessage& message, bool more);
  void close(Timestamp now, websocket::CloseCode code, std::string_view reason);
  /// Gives control frames to the output as soon as those before have left it. Whether it gave any.
  bool send_control();

  /// Room for a media message, header of the desk included.
  [[nodiscard]] std::size_t media_room() const noexcept;
  /// Whether it was closed because the client reads too slowly.
  [[nodiscard]] bool is_too_slow() const noexcept { return is_too_slow_; }
  /// Whether the output had no room even for a control frame: the client is past being told.
  [[nodiscard]] bool is_stuck() const noexcept { return is_stuck_; }

  [[nodiscard]] std::optional<Timestamp> next_timeout() const noexcept {
    return socket_.next_timeout();
  }
  void handle_timeout(Timestamp now);

 private:
  const WebSocketSettings& settings_;
  session::ConnectionId id_;
  Output& output_;
  websocket::Connection socket_;
  bool is_too_slow_ = false;
  bool is_stuck_ = false;
};

}  // namespace runnel::daemon
