// A WebSocket client over a TcpClient: our own codec in the client's role.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/base/random.h"
#include "core/websocket/connection.h"
#include "core/websocket/handshake.h"
#include "daemon/entropy.h"
#include "tests/unit/daemon/signalling/tcp_client.h"

namespace runnel::daemon {

inline constexpr std::array<std::string_view, 1> kRunnelProtocol{"runnel.v1"};

inline std::string upgrade_request(const std::string& target = "/v1/signal",
                                   std::span<const std::string_view> protocols = kRunnelProtocol,
                                   bool deflate = false) {
  websocket::ClientHandshake handshake;
  handshake.host = "localhost";
  handshake.target = target;
  handshake.protocols = protocols;
  handshake.nonce = {1, 2, 3};
  if (deflate) handshake.deflate.emplace();
  return websocket::request_head(handshake);
}

inline ByteView bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

class WebSocketClient {
 public:
  explicit WebSocketClient(const SocketAddress& server, int receive_buffer = 0)
      : tcp(server, receive_buffer), socket_({}, options()) {}

  /// The bytes of a frame, to be sent alone or together with others.
  std::string text_frame(std::string_view text) {
    return frame(websocket::Opcode::text, bytes_of(text));
  }
  std::string binary_frame(ByteView payload) { return frame(websocket::Opcode::binary, payload); }
  void send_text(std::string_view text) { tcp.send(text_frame(text)); }
  void close() {
    socket_.close({}, websocket::CloseCode::normal);
    send_output();
  }

  /// Reads what has come; texts and binaries are appended to `messages`.
  void poll() {
    std::string bytes = tcp.take();
    if (!is_open_) {
      head += bytes;
      const std::size_t end = head.find("\r\n\r\n");
      if (end == std::string::npos) return;
      bytes = head.substr(end + 4);
      head.resize(end + 4);
      is_open_ = true;
    }
    if (bytes.empty()) return;
    socket_.receive({}, {reinterpret_cast<std::uint8_t*>(bytes.data()), bytes.size()});
    while (const auto event = socket_.next()) {
      if (const auto* message = std::get_if<websocket::Message>(&*event)) {
        messages.emplace_back(message->payload.begin(), message->payload.end());
      } else if (const auto* end = std::get_if<websocket::Closed>(&*event)) {
        closed = end->code;
        reason = end->reason;
      } else if (std::holds_alternative<websocket::Pong>(*event)) {
        ++pongs;
      }
    }
    send_output();
  }
  bool has(std::string_view part) {
    poll();
    for (const std::string& message : messages) {
      if (message.find(part) != std::string::npos) return true;
    }
    return false;
  }
  bool is_closed() {
    poll();
    return closed.has_value();
  }

  TcpClient tcp;
  std::string head;  // of the response
  std::vector<std::string> messages;
  std::optional<websocket::CloseCode> closed;
  std::string reason;
  int pongs = 0;

 private:
  static websocket::ConnectionOptions options() {
    static SystemRandom random;
    websocket::ConnectionOptions options;
    options.role = websocket::Role::client;
    options.masking_keys = &random;
    return options;
  }
  std::string frame(websocket::Opcode opcode, ByteView payload) {
    const auto outgoing = socket_.frame(opcode, payload).value();
    const ByteView header = outgoing.header.view();
    std::string bytes(header.begin(), header.end());
    bytes.append(outgoing.payload.begin(), outgoing.payload.end());
    return bytes;
  }
  void send_output() {
    const ByteView output = socket_.take_output();
    tcp.send({reinterpret_cast<const char*>(output.data()), output.size()});
  }

  websocket::Connection socket_;
  bool is_open_ = false;
};

}  // namespace runnel::daemon
