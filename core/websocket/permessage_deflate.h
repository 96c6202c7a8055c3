// permessage-deflate (RFC 7692): what two endpoints agree on, and the coding itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "core/base/bytes.h"
#include "core/websocket/byte_buffer.h"
#include "core/websocket/error.h"
#include "core/websocket/frame.h"

namespace runnel::websocket {

/// What holds on a connection. "Server" and "client" are the senders of what is compressed: the
/// server compresses with server_max_window_bits and decompresses with client_max_window_bits.
struct DeflateParameters {
  bool server_no_context_takeover = false;
  bool client_no_context_takeover = false;
  std::uint8_t server_max_window_bits = 15;  // 8 to 15
  std::uint8_t client_max_window_bits = 15;  // 8 to 15

  friend bool operator==(const DeflateParameters&, const DeflateParameters&) = default;
};

/// What we want at most; a peer may always have less. The same four meanings.
using DeflatePolicy = DeflateParameters;

struct DeflateAnswer {
  DeflateParameters parameters{};
  std::string extension{};  // for Sec-WebSocket-Extensions of the response
};

/// Server: the first acceptable offer (RFC 7692 §7.1) of a whole Sec-WebSocket-Extensions value, or
/// nullopt when there is none: offers with unknown, duplicate or malformed parameters are declined,
/// and so are those whose client cannot keep to the policy's client_max_window_bits.
[[nodiscard]] std::optional<DeflateAnswer> accept_deflate_offer(std::string_view extensions,
                                                                const DeflatePolicy& policy);

/// Client: an offer for Sec-WebSocket-Extensions.
[[nodiscard]] std::string deflate_offer(const DeflatePolicy& policy);

/// Client: what the server's Sec-WebSocket-Extensions agrees to after deflate_offer(policy);
/// nullopt inside when the server declined (an empty value), an unexpected value when the
/// connection must fail (RFC 7692 §7.1, RFC 6455 §4.1).
[[nodiscard]] std::expected<std::optional<DeflateParameters>, std::monostate> read_deflate_answer(
    std::string_view extensions, const DeflatePolicy& policy);

/// How much of a connection's memory and time compression may take.
struct DeflateEffort {
  int level = 6;         // zlib's, 1 to 9
  int memory_level = 8;  // zlib's, 1 to 9: 2^(9 + memory_level) bytes beside 2^(2 + window bits)
};

/// Compresses the messages of one direction of one connection. Takes no memory before its first
/// message.
class Deflater {
 public:
  Deflater(std::uint8_t window_bits, bool context_takeover, DeflateEffort effort) noexcept;
  ~Deflater();
  Deflater(Deflater&&) noexcept;
  Deflater& operator=(Deflater&&) noexcept;

  /// Appends a whole message's compressed payload to `out`. False, and nothing is appended, only
  /// when zlib got no memory for its first message.
  [[nodiscard]] bool compress(ByteView message, ByteBuffer& out);
  /// Refers no more to earlier messages, which is always allowed.
  void forget() noexcept;
  /// Bytes that zlib holds for this direction.
  [[nodiscard]] std::size_t memory() const noexcept;

 private:
  struct Stream;
  [[nodiscard]] bool start();

  std::unique_ptr<Stream> stream_;
  std::uint8_t window_bits_;
  bool context_takeover_;
  DeflateEffort effort_;
};

/// Decompresses the messages of one direction of one connection, piece by piece. Takes no memory
/// before its first message.
class Inflater {
 public:
  Inflater(std::uint8_t window_bits, bool context_takeover) noexcept;
  ~Inflater();
  Inflater(Inflater&&) noexcept;
  Inflater& operator=(Inflater&&) noexcept;

  /// Appends what `piece` of a message's payload stands for to `out`, which never grows beyond
  /// `max_size` bytes nor far beyond what is really there: `message_too_big`, or
  /// `invalid_compression`. After an error the inflater is of no use.
  [[nodiscard]] std::expected<void, Error> decompress(ByteView piece, ByteBuffer& out,
                                                      std::size_t max_size);
  /// The message is over (RFC 7692 §7.2.2).
  [[nodiscard]] std::expected<void, Error> finish(ByteBuffer& out, std::size_t max_size);
  /// Bytes that zlib holds for this direction.
  [[nodiscard]] std::size_t memory() const noexcept;

 private:
  struct Stream;
  [[nodiscard]] bool start();

  std::unique_ptr<Stream> stream_;
  std::uint8_t window_bits_;
  bool context_takeover_;
};

}  // namespace runnel::websocket
