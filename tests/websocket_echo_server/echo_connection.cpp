#include "tests/websocket_echo_server/echo_connection.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <poll.h>
#include <string>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/websocket/handshake.h"

namespace runnel::echo {
namespace {

using namespace websocket;

constexpr std::size_t kReadSize = std::size_t{64} << 10;
// While more than this waits to be sent, no more messages are echoed.
constexpr std::size_t kHighWater = std::size_t{256} << 10;
constexpr Duration kLinger = std::chrono::seconds(1);

ByteView bytes_of(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

ConnectionOptions options_for(const Settings& settings,
                              const std::optional<DeflateParameters>& deflate) {
  return {.limits = {.max_frame_size = settings.max_message,
                     .max_message_size = settings.max_message,
                     .max_fragments = std::size_t{1} << 20},
          .deflate = deflate,
          .min_compressed_size = 0};
}

}  // namespace

EchoConnection::EchoConnection(int socket, const Settings& settings)
    : socket_(socket),
      settings_(settings),
      queue_({.max_bytes = 2 * settings.max_message + (std::size_t{1} << 20)}),
      buffer_(kReadSize) {}

EchoConnection::~EchoConnection() {
  ::close(socket_);
}

short EchoConnection::events() const noexcept {
  const bool reads = linger_until_ || (is_drained_ && !is_finishing_);
  return static_cast<short>((reads ? POLLIN : 0) | (queue_.empty() ? 0 : POLLOUT));
}

std::optional<Timestamp> EchoConnection::next_timeout() const noexcept {
  if (linger_until_) return linger_until_;
  return connection_ ? connection_->next_timeout() : std::nullopt;
}

void EchoConnection::handle(Timestamp now, short ready) {
  if ((ready & POLLOUT) != 0) flush();
  if ((ready & (POLLIN | POLLHUP | POLLERR)) != 0) read(now);
  if (connection_) {
    connection_->handle_timeout(now);
    if (!is_finishing_) pump();
  }
  finish_when_sent(now);
}

void EchoConnection::read(Timestamp now) {
  if (!is_drained_) return;
  const ssize_t size = ::recv(socket_, buffer_.data(), buffer_.size(), 0);
  if (size < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (size <= 0) {
    is_over_ = true;
    return;
  }
  if (is_finishing_) return;
  const auto bytes = ByteSpan(buffer_).first(static_cast<std::size_t>(size));
  if (connection_) {
    connection_->receive(now, bytes);
    is_drained_ = false;
  } else {
    open(now, bytes);
  }
}

void EchoConnection::open(Timestamp now, ByteSpan bytes) {
  const http::RequestParser::Progress progress = parser_.feed(bytes);
  if (progress.step == http::RequestParser::Step::need_more) return;
  if (progress.step != http::RequestParser::Step::complete) {
    is_over_ = true;
    return;
  }
  answer(now, parser_.request());
  const ByteSpan rest = bytes.subspan(progress.consumed);
  if (!connection_ || rest.empty()) return;
  connection_->receive(now, rest);
  is_drained_ = false;
}

void EchoConnection::answer(Timestamp now, const http::Request& request) {
  const auto value = [&request](std::string_view name) { return request.headers.combined(name); };
  const std::string upgrade = value("Upgrade");
  const std::string connection = value("Connection");
  const std::string key = value("Sec-WebSocket-Key");
  const std::string version = value("Sec-WebSocket-Version");
  const std::string extensions = value("Sec-WebSocket-Extensions");
  const auto accepted = accept_handshake(
      {.method = request.method_name,
       .is_http_1_1 = request.minor_version >= 1,
       .has_body = !request.body.empty(),
       .host = request.host,
       .upgrade = upgrade,
       .connection = connection,
       .key = key,
       .version = version,
       .extensions = extensions},
      {.deflate = settings_.deflate ? std::optional(DeflatePolicy{}) : std::nullopt});
  std::string head;
  if (accepted) {
    head = response_head(*accepted);
    connection_.emplace(now, options_for(settings_, accepted->deflate));
  } else {
    head = "HTTP/1.1 " + std::to_string(http_status(accepted.error())) +
           " Refused\r\nSec-WebSocket-Version: 13\r\nContent-Length: 0\r\n\r\n";
    is_finishing_ = true;
  }
  const std::array parts{bytes_of(head)};
  send(MessageClass::control, parts);
}

void EchoConnection::pump() {
  while (queue_.size() < kHighWater) {
    const auto event = connection_->next();
    is_drained_ = !event;
    if (connection_->has_output()) {
      const std::array output{connection_->take_output()};
      send(MessageClass::control, output);
    }
    if (!event) return;
    if (const auto* message = std::get_if<Message>(&*event)) echo(*message);
    if (std::holds_alternative<Closed>(*event)) {
      is_finishing_ = true;
      is_drained_ = true;
      return;
    }
  }
}

void EchoConnection::echo(const Message& message) {
  const auto frame = connection_->frame(message.opcode, message.payload);
  if (!frame) return;
  const std::array parts{frame->header.view(), frame->payload};
  send(MessageClass::signalling, parts);
}

void EchoConnection::send(MessageClass kind, std::span<const ByteView> parts) {
  if (queue_.admission(kind, total_size(parts)) != Admission::accepted) {
    is_over_ = true;
    return;
  }
  queue_.append(kind, parts, queue_.empty() ? write(parts) : 0);
}

void EchoConnection::flush() {
  std::array<ByteView, 2> waiting;
  queue_.consumed(write(std::span(waiting).first(queue_.gather(waiting))));
}

std::size_t EchoConnection::write(std::span<const ByteView> parts) {
  std::array<iovec, 2> pieces;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    pieces[i] = {.iov_base = const_cast<std::uint8_t*>(parts[i].data()),
                 .iov_len = parts[i].size()};
  }
  msghdr message{};
  message.msg_iov = pieces.data();
  message.msg_iovlen = parts.size();
  const ssize_t sent = ::sendmsg(socket_, &message, MSG_NOSIGNAL);
  if (sent >= 0) return static_cast<std::size_t>(sent);
  if (errno != EAGAIN && errno != EINTR) is_over_ = true;
  return 0;
}

void EchoConnection::finish_when_sent(Timestamp now) {
  if (!is_finishing_ || !queue_.empty()) return;
  // Unread bytes would make close() a reset, which may overtake the Close frame.
  if (!linger_until_) {
    ::shutdown(socket_, SHUT_WR);
    linger_until_ = now + kLinger;
  } else if (now >= *linger_until_) {
    is_over_ = true;
  }
}

}  // namespace runnel::echo
