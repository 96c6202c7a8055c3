// One client of the echo server: its opening handshake, its messages, and its end.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "core/base/time.h"
#include "core/http/request_parser.h"
#include "core/websocket/connection.h"
#include "core/websocket/send_queue.h"

namespace runnel::echo {

struct Settings {
  bool deflate = false;
  std::size_t max_message = std::size_t{16} << 20;
};

/// Owns a non-blocking socket. The server polls it for events() and calls handle().
class EchoConnection {
 public:
  EchoConnection(int socket, const Settings& settings);
  ~EchoConnection();
  EchoConnection(const EchoConnection&) = delete;
  EchoConnection& operator=(const EchoConnection&) = delete;

  [[nodiscard]] int socket() const noexcept { return socket_; }
  /// What to poll for.
  [[nodiscard]] short events() const noexcept;
  [[nodiscard]] std::optional<Timestamp> next_timeout() const noexcept;
  /// After poll() or a timeout: reads, echoes and writes what is possible.
  void handle(Timestamp now, short ready);
  [[nodiscard]] bool is_over() const noexcept { return is_over_; }

 private:
  void read(Timestamp now);
  void open(Timestamp now, ByteSpan bytes);
  void answer(Timestamp now, const http::Request& request);
  void pump();
  void echo(const websocket::Message& message);
  void send(websocket::MessageClass kind, std::span<const ByteView> parts);
  void flush();
  [[nodiscard]] std::size_t write(std::span<const ByteView> parts);
  void finish_when_sent(Timestamp now);

  int socket_;
  Settings settings_;
  http::RequestParser parser_;
  std::optional<websocket::Connection> connection_;
  websocket::SendQueue queue_;
  std::vector<std::uint8_t> buffer_;
  bool is_drained_ = true;                 // the connection is done with buffer_
  bool is_finishing_ = false;              // nothing more is read; what waits is sent
  std::optional<Timestamp> linger_until_;  // our side is shut down
  bool is_over_ = false;
};

}  // namespace runnel::echo
