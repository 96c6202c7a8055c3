// One TCP connection from its first byte to its last: HTTP, then perhaps a WebSocket, then the end;
// or media from the beginning.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/address.h"
#include "core/http/response.h"
#include "daemon/event_loop.h"
#include "daemon/signalling/byte_stream.h"
#include "daemon/signalling/http_conversation.h"
#include "daemon/signalling/media_conversation.h"
#include "daemon/signalling/output.h"
#include "daemon/signalling/request_handler.h"
#include "daemon/signalling/websocket_conversation.h"

namespace runnel::daemon {

struct ConnectionSettings {
  HttpSettings http;
  WebSocketSettings websocket;
  /// Absent: no media comes this way.
  std::optional<MediaSettings> media;
  /// An empty queue keeps little, as most connections are idle most of the time.
  websocket::SendQueueLimits send_queue{.kept_bytes = 2 * 1024};
  /// How long a client whose connection we have ended may take to end it too. Until then we read
  /// on, as a reset by the kernel could overtake our last words.
  Duration linger = std::chrono::seconds(2);
};

// What a connection has for others to act on.

/// Nothing until it is readable again.
struct NothingYet {};
/// To be answered by `Connection::answer`.
struct RequestArrived {
  const http::Request* request = nullptr;
};
/// Of a WebSocket; valid until the next call of `Connection::next`.
struct TextArrived {
  std::string_view text;
};
struct BinaryArrived {
  ByteView message;
};
/// Of media; valid until the next call of `Connection::next`.
struct PacketArrived {
  transport::StreamFrame frame;
};
/// The WebSocket of the desk's connection `id` is over.
struct WebSocketEnded {
  session::ConnectionId id{};
};

using Happening = std::variant<NothingYet, RequestArrived, TextArrived, BinaryArrived,
                               PacketArrived, WebSocketEnded>;

/// Reads, writes and keeps time for one client. A pass begins when the socket is ready or the
/// deadline is over: `next` is called until it answers NothingYet, with each happening acted upon
/// before the next; then `finish`. The buffers must not be used by others during a pass.
class Connection {
 public:
  /// `settings` must outlive it. `tls`: nullptr on a port in the clear.
  Connection(const ConnectionSettings& settings, FileDescriptor socket, const SocketAddress& remote,
             const tls::ServerContext* tls, Timestamp now);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// Begins to watch the socket; `callback` finds `data` in the handle. An errno otherwise.
  [[nodiscard]] int watch(EventLoop& loop, uv_poll_cb callback, void* data);
  /// What the callback was told.
  void on_poll(int status, int events) noexcept;

  [[nodiscard]] Happening next(Timestamp now, ReadBuffers& buffers);
  /// Of the request that `next` has told of.
  void answer(Timestamp now, Reply&& reply, bool keep_alive);
  /// Of a response that goes on (EventResponse); without effect once it has ended. A client that
  /// does not read is let go of.
  void send_event(Timestamp now, std::string_view text);
  void end_events(Timestamp now);
  /// Answers without having been asked, and ends.
  void refuse(Timestamp now, const http::Response& response);
  /// After each pass, and after messages were given to the WebSocket: sends what waits, and watches
  /// the socket for what is needed next.
  void finish(Timestamp now);
  /// Whether there is something to tell without the socket being ready.
  [[nodiscard]] bool wants_pass() const noexcept {
    return websocket_ && (stream_.has_failed() || websocket_->is_stuck());
  }
  /// Nothing is left to be done: it can be destroyed.
  [[nodiscard]] bool is_gone() const noexcept { return phase_ == Phase::gone; }

  /// nullptr unless it is a WebSocket whose end has not been told.
  [[nodiscard]] WebSocketConversation* websocket() noexcept {
    return websocket_ ? &*websocket_ : nullptr;
  }
  /// nullptr unless it carries media.
  [[nodiscard]] MediaConversation* media() noexcept { return media_ ? &*media_ : nullptr; }
  /// Nobody wants its media.
  void end_media(std::string_view complaint) noexcept;
  [[nodiscard]] const Output& output() const noexcept { return output_; }

  [[nodiscard]] std::optional<Timestamp> deadline() const noexcept;
  /// The deadline is over; a pass has to follow.
  void handle_timeout(Timestamp now);

  [[nodiscard]] const SocketAddress& remote() const noexcept { return remote_; }
  /// Why it has ended before its time, for a log; empty otherwise.
  [[nodiscard]] std::string_view complaint() const noexcept { return complaint_; }
  /// Whether it sent a request too slowly.
  [[nodiscard]] bool has_timed_out() const noexcept { return has_timed_out_; }
  /// Whether it read messages too slowly.
  [[nodiscard]] bool was_too_slow() const noexcept { return was_too_slow_; }

 private:
  enum class Phase : std::uint8_t {
    http,
    websocket,
    media,
    events,     // a response goes on; what the client still says is not looked at
    ending,     // the last bytes are on their way
    lingering,  // they have left; the client's end is awaited
    gone,
  };

  [[nodiscard]] std::optional<Happening> next_request(Timestamp now);
  [[nodiscard]] std::optional<Happening> next_message(Timestamp now);
  [[nodiscard]] std::optional<Happening> next_packet();
  [[nodiscard]] Happening end_websocket(Timestamp now, const websocket::Closed& closed);
  [[nodiscard]] bool read_more(Timestamp now, ReadBuffers& buffers);
  void take_end(Timestamp now, Received::Outcome outcome);
  void hold_input();
  void begin_media(Timestamp now);
  void begin_events(Timestamp now, const http::Response& response);
  void flush(Timestamp now);
  void end(Timestamp now);
  void update_watch() noexcept;

  const ConnectionSettings& settings_;
  ByteStream stream_;
  SocketAddress remote_;
  Output output_;
  std::optional<HttpConversation> http_;
  std::optional<WebSocketConversation> websocket_;
  std::optional<MediaConversation> media_;
  Phase phase_ = Phase::http;
  ByteSpan input_;                      // what has been read and not looked at, during a pass
  std::vector<std::uint8_t> held_;      // the same between passes, while answers wait to leave
  std::vector<std::uint8_t> taken_up_;  // what was held, while `input_` is in it
  Timestamp patience_;  // until when bytes that wait have to move, or the client to end
  std::string_view complaint_;
  bool has_input_ended_ = false;
  bool has_timed_out_ = false;
  bool was_too_slow_ = false;
  int watched_ = 0;  // events
  uv_poll_cb callback_ = nullptr;
  UvHandle<uv_poll_t> poll_;
};

}  // namespace runnel::daemon
