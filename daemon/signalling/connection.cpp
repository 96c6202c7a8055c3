#include "daemon/signalling/connection.h"

#include <utility>

#include "core/http/problem.h"

namespace runnel::daemon {
namespace {

// Answers to requests that were sent one behind the other leave together, up to this many bytes.
constexpr std::size_t kMostUnsentAnswers = 64 * 1024;

http::Response plain_on_tls_response() {
  http::Response response =
      http::Response::text("text/plain; charset=utf-8", "this port speaks TLS; use https://\n");
  response.status = 400;
  return response;
}

}  // namespace

Connection::Connection(const ConnectionSettings& settings, FileDescriptor socket,
                       const SocketAddress& remote, const tls::ServerContext* tls, Timestamp now)
    : settings_(settings),
      stream_(std::move(socket), tls, settings.media.has_value()),
      remote_(remote),
      output_(stream_, settings.send_queue),
      patience_(now + settings.http.idle_timeout) {
  http_.emplace(settings.http, now);
}

int Connection::watch(EventLoop& loop, uv_poll_cb callback, void* data) {
  poll_.reset(new uv_poll_t);
  if (const int error = uv_poll_init(loop.get(), poll_.get(), stream_.descriptor()); error != 0) {
    delete poll_.release();  // never became a handle
    return -error;
  }
  poll_->data = data;
  callback_ = callback;
  update_watch();
  return 0;
}

// libuv stops to watch a descriptor with an error; the next read or write tells which.
void Connection::on_poll(int status, int events) noexcept {
  if (status < 0) watched_ = 0;
  if (status < 0 || (events & UV_READABLE) != 0) stream_.set_readable();
  if (status < 0 || (events & UV_WRITABLE) != 0) stream_.set_writable();
}

Happening Connection::next(Timestamp now, ReadBuffers& buffers) {
  for (;;) {
    switch (phase_) {
      case Phase::http:
        if (auto happening = next_request(now)) return *happening;
        break;
      case Phase::websocket:
        if (auto happening = next_message(now)) return *happening;
        break;
      case Phase::media:
        if (auto happening = next_packet()) return *happening;
        break;
      case Phase::events:
      case Phase::ending:
      case Phase::lingering:
        input_ = {};
        break;
      case Phase::gone:
        return NothingYet{};
    }
    if (input_.empty() && !read_more(now, buffers)) return NothingYet{};
  }
}

std::optional<Happening> Connection::next_request(Timestamp now) {
  if (output_.size() > kMostUnsentAnswers || (input_.empty() && !output_.empty())) flush(now);
  if (output_.size() > kMostUnsentAnswers || stream_.is_blocked()) {
    hold_input();
    return NothingYet{};
  }
  if (input_.empty()) return std::nullopt;
  switch (http_->advance(now, input_, output_.http())) {
    case HttpConversation::Step::need_more:
      return std::nullopt;
    case HttpConversation::Step::request:
      return RequestArrived{&http_->request()};
    case HttpConversation::Step::refused:
      refuse(now, http::to_response(http_->error()));
      return std::nullopt;
  }
  std::unreachable();
}

std::optional<Happening> Connection::next_message(Timestamp now) {
  if (wants_pass()) websocket_->transport_closed();
  while (const auto event = websocket_->next()) {
    if (const auto* message = std::get_if<websocket::Message>(&*event)) {
      if (message->opcode == websocket::Opcode::binary) return BinaryArrived{message->payload};
      return TextArrived{
          {reinterpret_cast<const char*>(message->payload.data()), message->payload.size()}};
    }
    if (const auto* closed = std::get_if<websocket::Closed>(&*event)) {
      return end_websocket(now, *closed);
    }
  }
  input_ = {};
  return std::nullopt;
}

std::optional<Happening> Connection::next_packet() {
  if (const auto frame = media_->next(input_)) return PacketArrived{*frame};
  if (media_->is_refused()) end_media("neither HTTP nor media: it begins with no STUN request");
  return std::nullopt;
}

void Connection::begin_media(Timestamp now) {
  http_.reset();
  media_.emplace(stream_, *settings_.media, now);
  phase_ = Phase::media;
}

void Connection::end_media(std::string_view complaint) noexcept {
  complaint_ = complaint;
  input_ = {};
  phase_ = Phase::gone;
}

Happening Connection::end_websocket(Timestamp now, const websocket::Closed& closed) {
  const WebSocketEnded ended{websocket_->id()};
  if (closed.error) complaint_ = to_string(*closed.error);
  const bool is_there = !has_input_ended_ && !wants_pass() &&
                        closed.error != websocket::Error::close_timeout &&
                        closed.error != websocket::Error::pong_timeout;
  was_too_slow_ = websocket_->is_too_slow();
  websocket_.reset();
  input_ = {};
  if (is_there) {
    end(now);
  } else {
    phase_ = Phase::gone;
  }
  return ended;
}

// False when there is nothing more for now.
bool Connection::read_more(Timestamp now, ReadBuffers& buffers) {
  if (!held_.empty()) {
    taken_up_ = std::exchange(held_, {});
    input_ = taken_up_;
    return true;
  }
  if (has_input_ended_) return false;
  const Received received = stream_.read(buffers);
  if (received.outcome == Received::Outcome::nothing) return false;
  if (received.outcome == Received::Outcome::frames && phase_ == Phase::http) {
    begin_media(now);
  } else if (received.outcome != Received::Outcome::bytes) {
    take_end(now, received.outcome);
    return true;
  }
  input_ = received.bytes;
  if (phase_ == Phase::websocket) websocket_->receive(now, input_);
  return true;
}

void Connection::take_end(Timestamp now, Received::Outcome outcome) {
  using enum Received::Outcome;
  if (outcome == plain_on_tls) return refuse(now, plain_on_tls_response());
  has_input_ended_ = true;
  if (outcome == failed) complaint_ = stream_.failure();
  if (outcome == tls_on_plain) complaint_ = "speaks TLS on a port in the clear";
  switch (phase_) {
    case Phase::websocket:
      return websocket_->transport_closed();
    case Phase::http:
    case Phase::ending:
      if (outcome == ended && !output_.empty()) return end(now);
      break;
    case Phase::media:
    case Phase::events:
    case Phase::lingering:
    case Phase::gone:
      break;
  }
  phase_ = Phase::gone;
}

void Connection::hold_input() {
  if (input_.empty()) return;
  held_.assign(input_.begin(), input_.end());
  input_ = {};
}

void Connection::answer(Timestamp now, Reply&& reply, bool keep_alive) {
  if (auto* upgrade = std::get_if<Upgrade>(&reply)) {
    output_.add(upgrade->head);
    websocket_.emplace(settings_.websocket, upgrade->connection, upgrade->deflate, now, output_);
    // Frames may stand right behind the request.
    if (!input_.empty()) websocket_->receive(now, input_);
    http_.reset();
    phase_ = Phase::websocket;
    return;
  }
  if (auto* events = std::get_if<EventResponse>(&reply)) return begin_events(now, events->response);
  auto options = http::WriteOptions::for_request(http_->request());
  options.keep_alive = options.keep_alive && keep_alive;
  output_.add(write_response(std::get<http::Response>(reply), options));
  http_->answered(now);
  if (!options.keep_alive) end(now);
}

void Connection::refuse(Timestamp now, const http::Response& response) {
  output_.add(write_response(response, {.keep_alive = false}));
  end(now);
}

void Connection::finish(Timestamp now) {
  flush(now);
  taken_up_ = {};
  if (phase_ == Phase::ending && output_.empty()) {
    stream_.end();
    patience_ = now + settings_.linger;
    phase_ = has_input_ended_ ? Phase::gone : Phase::lingering;
  }
  if (stream_.has_failed() && phase_ != Phase::websocket) phase_ = Phase::gone;
  update_watch();
}

void Connection::flush(Timestamp now) {
  if (media_) return media_->flush();
  bool has_moved = output_.flush();
  while (websocket_ && websocket_->send_control()) has_moved |= output_.flush();
  if (has_moved) patience_ = now + settings_.http.idle_timeout;
}

// Nothing more is taken from the client; what waits is sent first.
void Connection::end(Timestamp now) {
  phase_ = Phase::ending;
  input_ = {};
  held_.clear();
  http_.reset();
  patience_ = now + settings_.http.idle_timeout;
}

void Connection::update_watch() noexcept {
  if (!poll_ || phase_ == Phase::gone) return;
  const bool is_full = phase_ == Phase::http && !output_.empty();
  int wanted = 0;
  if (!has_input_ended_ && !is_full) wanted |= UV_READABLE;
  const bool has_unsent = media_ ? media_->has_unsent() : !output_.empty();
  if (has_unsent) wanted |= UV_WRITABLE;
  if (wanted == watched_) return;
  watched_ = wanted;
  if (wanted == 0) {
    uv_poll_stop(poll_.get());
  } else {
    uv_poll_start(poll_.get(), wanted, callback_);
  }
}

}  // namespace runnel::daemon
