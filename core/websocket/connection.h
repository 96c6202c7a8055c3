// One WebSocket connection after its opening handshake, without IO: bytes in, events and bytes out.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <variant>

#include "core/base/bytes.h"
#include "core/base/random.h"
#include "core/base/time.h"
#include "core/websocket/control_output.h"
#include "core/websocket/error.h"
#include "core/websocket/frame.h"
#include "core/websocket/limits.h"
#include "core/websocket/message_reader.h"
#include "core/websocket/message_writer.h"
#include "core/websocket/permessage_deflate.h"

namespace runnel::websocket {

struct ConnectionOptions {
  Role role = Role::server;
  Limits limits{};
  /// What the opening handshake has agreed; see AcceptedHandshake and AgreedHandshake.
  std::optional<DeflateParameters> deflate = std::nullopt;
  DeflateEffort deflate_effort{};
  /// Shorter messages are sent uncompressed, in bytes.
  std::size_t min_compressed_size = 64;
  /// How long the peer has to answer our Close.
  Duration close_timeout = std::chrono::seconds(5);
  /// After this long without a byte from the peer it is pinged; without it, never.
  std::optional<Duration> ping_interval = std::nullopt;
  /// How long a pinged peer may stay silent.
  Duration pong_timeout = std::chrono::seconds(20);
  /// A client's masking keys, which must be unpredictable (RFC 6455 §5.3); it outlives the
  /// connection. A server needs none.
  RandomSource* masking_keys = nullptr;
};

/// A whole message. Text is valid UTF-8.
struct Message {
  Opcode opcode = Opcode::binary;  // text or binary
  ByteView payload{};
};
/// The peer asks whether we live; the answer is already in take_output().
struct Ping {
  ByteView payload{};
};
/// An answer to a ping, or a sign of life unasked for.
struct Pong {
  ByteView payload{};
};
/// The last event. Send what take_output() holds, then close the transport; a server that closes
/// while bytes of the peer are unread should shut down its sending side first and read on for a
/// moment, lest a reset overtake its Close frame.
struct Closed {
  CloseCode code = CloseCode::no_status;  // the peer's; when the connection failed, ours
  std::string_view reason{};              // of whom the code is; valid as long as the connection
  bool by_peer = false;                   // the peer's Close came before ours
  std::optional<Error> error = std::nullopt;  // why it failed; none after a closing handshake
};
using Event = std::variant<Message, Ping, Pong, Closed>;

/// Usage: receive(), then next() until it answers nothing, and after each event send what
/// take_output() holds. One thread at a time. Movable; views given out before a move stay valid
/// except Closed::reason.
class Connection {
 public:
  Connection(Timestamp now, const ConnectionOptions& options);

  // What comes in.

  /// Lends bytes that have arrived; they are unmasked in place. They must stay until next() has
  /// answered nothing, and no more may be lent before. After the last event bytes are ignored.
  void receive(Timestamp now, ByteSpan bytes) noexcept;
  /// The next event. Its views are valid until the next call of next() or receive(), and not longer
  /// than the bytes lent. Messages that lie in them in one frame are not copied. Once a closing
  /// handshake has been started on our side, messages are skipped.
  [[nodiscard]] std::optional<Event> next();
  /// From now on others hold, such as when the peer has shown who it is. They must not be lower.
  void raise_limits(const Limits& limits) noexcept { reader_.set_limits(limits); }
  /// The transport has ended; next() tells the rest.
  void transport_closed() noexcept;

  // What goes out.

  /// Pongs, pings and Close frames for the wire; valid until the next call of anything else. Pongs
  /// are bounded and coalesced while they are not taken, so take them only when earlier output of
  /// this kind has left (SendQueue::holds_control()).
  [[nodiscard]] ByteView take_output() { return output_.take(); }
  [[nodiscard]] bool has_output() const noexcept { return !output_.empty(); }
  /// Whether messages may be sent: no Close frame was sent or received.
  [[nodiscard]] bool is_open() const noexcept { return state_ == State::open; }
  /// A message as one frame, to be sent as a whole; nullopt when the connection is not open. Server
  /// without compression: the payload is not copied. Otherwise it lies in the connection until the
  /// next call.
  [[nodiscard]] std::optional<OutgoingFrame> frame(
      Opcode opcode, ByteView payload, Compression compression = Compression::where_agreed) {
    std::optional<OutgoingFrame> out;
    if (is_open()) writer_.frame(opcode, payload, compression, out.emplace());
    return out;
  }
  /// The last frame() was not sent after all, having found no room. To be called without fail:
  /// compressed messages refer to those before them, and the peer could not read on.
  void not_sent() noexcept { writer_.not_sent(); }
  /// Server: the header alone, for a payload that is gathered from several places, uncompressed;
  /// nullopt when the connection is not open.
  [[nodiscard]] std::optional<FrameHeaderBytes> frame_header(Opcode opcode,
                                                             std::size_t payload_size) noexcept;
  /// Starts the closing handshake (RFC 6455 §7.1.2), if none has started yet. `code` is allowed on
  /// the wire, or `no_status` for an empty Close frame; `reason` is UTF-8 and cut to 123 bytes.
  void close(Timestamp now, CloseCode code, std::string_view reason = {});

  // Time.

  /// When handle_timeout() wants to be called; it may change with every call of anything else.
  [[nodiscard]] std::optional<Timestamp> next_timeout() const noexcept;
  /// Does what is due; next() and take_output() tell what came of it.
  void handle_timeout(Timestamp now);

  /// Bytes on the heap: buffers and what zlib holds.
  [[nodiscard]] std::size_t memory() const noexcept;

 private:
  enum class State : std::uint8_t {
    open,
    closing,   // our Close is out, the peer's is awaited
    finished,  // Closed waits to be told
    told,
  };

  [[nodiscard]] std::optional<Event> handle_control(Opcode opcode, ByteView payload);
  void handle_close(ByteView payload);
  void send_close(CloseCode code, std::string_view reason);
  void fail(Error error);
  void set_reason(std::string_view reason) noexcept;
  void finish() noexcept;

  MessageReader reader_;
  MessageWriter writer_;
  ControlOutput output_;
  Role role_;
  Duration close_timeout_;
  std::optional<Duration> ping_interval_;
  Duration pong_timeout_;

  State state_ = State::open;
  bool awaits_pong_ = false;
  Timestamp last_sign_of_life_;
  Timestamp deadline_;  // for the pong, or for the peer's Close

  CloseCode code_ = CloseCode::no_status;
  std::uint8_t reason_size_ = 0;
  std::array<char, kMaxControlPayload> reason_{};
  bool by_peer_ = false;
  std::optional<Error> error_;
};

}  // namespace runnel::websocket
