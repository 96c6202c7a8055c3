#include "core/websocket/connection.h"

#include <algorithm>
#include <utility>

#include "core/base/check.h"
#include "core/base/utf8.h"

namespace runnel::websocket {
namespace {

constexpr std::size_t kCloseCodeSize = 2;
constexpr std::size_t kMaxReasonSize = kMaxControlPayload - kCloseCodeSize;

std::string_view text_of(ByteView bytes) noexcept {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
ByteView bytes_of(std::string_view text) noexcept {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

/// As much of a text as fits into a Close frame, cut between characters.
std::string_view fitting_reason(std::string_view reason) noexcept {
  if (reason.size() <= kMaxReasonSize) return reason;
  std::size_t size = kMaxReasonSize;
  while (size > 0 && (static_cast<std::uint8_t>(reason[size]) & 0xc0) == 0x80) --size;
  return reason.substr(0, size);
}

/// What the peer sends is what the other role compresses.
std::optional<Inflater> inflater_for(Role role, const std::optional<DeflateParameters>& agreed) {
  if (!agreed) return std::nullopt;
  if (role == Role::server) {
    return Inflater(agreed->client_max_window_bits, !agreed->client_no_context_takeover);
  }
  return Inflater(agreed->server_max_window_bits, !agreed->server_no_context_takeover);
}

std::optional<Deflater> deflater_for(Role role, const std::optional<DeflateParameters>& agreed,
                                     DeflateEffort effort) {
  if (!agreed) return std::nullopt;
  if (role == Role::server) {
    return Deflater(agreed->server_max_window_bits, !agreed->server_no_context_takeover, effort);
  }
  return Deflater(agreed->client_max_window_bits, !agreed->client_no_context_takeover, effort);
}

RandomSource* masking_keys_of(const ConnectionOptions& options) noexcept {
  if (options.role == Role::server) return nullptr;
  RUNNEL_CHECK(options.masking_keys != nullptr);
  return options.masking_keys;
}

}  // namespace

Connection::Connection(Timestamp now, const ConnectionOptions& options)
    : reader_(options.role, options.limits, inflater_for(options.role, options.deflate)),
      writer_(masking_keys_of(options),
              deflater_for(options.role, options.deflate, options.deflate_effort),
              options.min_compressed_size, options.limits.kept_buffer_size),
      output_(masking_keys_of(options)),
      role_(options.role),
      close_timeout_(options.close_timeout),
      ping_interval_(options.ping_interval),
      pong_timeout_(options.pong_timeout),
      last_sign_of_life_(now) {}

void Connection::receive(Timestamp now, ByteSpan bytes) noexcept {
  if (state_ >= State::finished) return;
  RUNNEL_CHECK(!reader_.has_input());
  reader_.feed(bytes);
  last_sign_of_life_ = now;
  awaits_pong_ = false;
}

std::optional<Event> Connection::next() {
  while (state_ < State::finished) {
    const Received received = reader_.next();
    switch (received.kind) {
      case Received::Kind::nothing:
        return std::nullopt;
      case Received::Kind::message:
        return Message{.opcode = received.opcode, .payload = received.payload};
      case Received::Kind::control:
        if (auto event = handle_control(received.opcode, received.payload)) return event;
        break;
      case Received::Kind::failure:
        fail(received.error);
        break;
    }
  }
  if (state_ == State::told) return std::nullopt;
  state_ = State::told;
  return Closed{.code = code_,
                .reason = {reason_.data(), reason_size_},
                .by_peer = by_peer_,
                .error = error_};
}

std::optional<Event> Connection::handle_control(Opcode opcode, ByteView payload) {
  if (opcode == Opcode::pong) return Pong{payload};
  if (opcode == Opcode::close) {
    handle_close(payload);
    return std::nullopt;
  }
  if (state_ == State::open) output_.add_pong(payload);
  return Ping{payload};
}

void Connection::handle_close(ByteView payload) {
  if (payload.size() == 1) return fail(Error::truncated_close_code);
  if (!payload.empty()) {
    code_ = static_cast<CloseCode>(load_be16(payload.data()));
    if (!is_allowed_on_wire(code_)) return fail(Error::invalid_close_code);
    const ByteView reason = payload.subspan(kCloseCodeSize);
    if (!is_valid_utf8(reason)) return fail(Error::invalid_utf8);
    set_reason(text_of(reason));
  }
  if (state_ == State::open) {
    by_peer_ = true;
    output_.add_close(payload);
  }
  finish();
}

void Connection::fail(Error error) {
  code_ = close_code(error);
  error_ = error;
  set_reason(to_string(error));
  if (state_ == State::open && is_allowed_on_wire(code_)) send_close(code_, to_string(error));
  finish();
}

void Connection::set_reason(std::string_view reason) noexcept {
  reason_size_ = static_cast<std::uint8_t>(std::min(reason.size(), reason_.size()));
  std::copy_n(reason.data(), reason_size_, reason_.data());
}

void Connection::finish() noexcept {
  state_ = State::finished;
  reader_.feed({});
}

void Connection::transport_closed() noexcept {
  if (state_ < State::finished) fail(Error::transport_closed);
}

std::optional<FrameHeaderBytes> Connection::frame_header(Opcode opcode,
                                                         std::size_t payload_size) noexcept {
  RUNNEL_CHECK(role_ == Role::server);
  std::optional<FrameHeaderBytes> out;
  if (is_open()) out.emplace().assign({.opcode = opcode, .payload_size = payload_size});
  return out;
}

void Connection::close(Timestamp now, CloseCode code, std::string_view reason) {
  if (!is_open()) return;
  RUNNEL_CHECK(is_allowed_on_wire(code) || code == CloseCode::no_status);
  send_close(code, reason);
  state_ = State::closing;
  deadline_ = now + close_timeout_;
  reader_.skip_messages();
}

void Connection::send_close(CloseCode code, std::string_view reason) {
  if (code == CloseCode::no_status) return output_.add_close({});
  std::array<std::uint8_t, kMaxControlPayload> payload;
  const std::string_view fitting = fitting_reason(reason);
  store_be16(payload.data(), static_cast<std::uint16_t>(code));
  copy_bytes(ByteSpan(payload).subspan(kCloseCodeSize), bytes_of(fitting));
  output_.add_close(ByteView(payload).first(kCloseCodeSize + fitting.size()));
}

std::optional<Timestamp> Connection::next_timeout() const noexcept {
  if (state_ >= State::finished) return std::nullopt;
  if (state_ == State::closing || awaits_pong_) return deadline_;
  if (ping_interval_) return last_sign_of_life_ + *ping_interval_;
  return std::nullopt;
}

void Connection::handle_timeout(Timestamp now) {
  const auto due = next_timeout();
  if (!due || now < *due) return;
  if (state_ == State::closing) return fail(Error::close_timeout);
  if (awaits_pong_) return fail(Error::pong_timeout);
  output_.add_ping({});
  awaits_pong_ = true;
  deadline_ = now + pong_timeout_;
}

std::size_t Connection::memory() const noexcept {
  return reader_.memory() + writer_.memory() + output_.memory();
}

}  // namespace runnel::websocket
