// One TLS connection, server side, without a socket: ciphertext in and out, plaintext in and out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "core/base/bytes.h"
#include "core/tls/server_context.h"

namespace runnel::tls {

/// In bytes.
struct StreamLimits {
  /// How much received ciphertext waits to be decrypted. At least a record (16 KiB + 2 KiB).
  std::size_t incoming = 64 * 1024;
  /// Up to where write() takes plaintext, counted as ciphertext. At least a record. What the
  /// protocol itself sends (handshake, alerts) may go a record beyond.
  std::size_t outgoing = 256 * 1024;
};

enum class StreamState : std::uint8_t {
  handshaking,
  open,
  /// The client has sent close_notify: nothing more comes, close() answers it.
  closed_by_peer,
  /// close() was called: flush pending(), then close the socket.
  closed,
  /// failure() says why; pending() may hold an alert that is worth sending.
  failed,
};

[[nodiscard]] std::string_view to_string(StreamState state) noexcept;

/// What the daemon does with what a socket has read:
///
///   until all is taken: { receive; read until 0; send pending; consumed }
///
/// Nothing is decrypted while pending() is at its limit, so a client that does not read is not read
/// from: after consumed() call read() again, and receive() what was not taken. Buffers give their
/// memory back when they are empty. Not thread-safe; may be moved.
class Stream {
 public:
  explicit Stream(const ServerContext& context, StreamLimits limits = {});
  Stream(Stream&&) noexcept;
  Stream& operator=(Stream&&) noexcept;
  ~Stream();

  /// Copies ciphertext and goes on with the handshake. Answers how many bytes were taken: fewer
  /// than given when the limit is reached; then read() and drain pending() first. In the states
  /// `closed` and `failed` everything is taken and forgotten.
  [[nodiscard]] std::size_t receive(ByteView ciphertext);
  /// The socket has reached its end. Without close_notify before it, the stream has failed
  /// (somebody may have cut it, RFC 8446 §6.1).
  void receive_end();
  /// Plaintext into `out`; 0 when there is none now.
  [[nodiscard]] std::size_t read(ByteSpan out);

  /// Encrypts the views one after the other, in as few records as possible, and answers how many
  /// bytes were taken: 0 before the handshake is done and after close(), fewer than given when
  /// pending() is at its limit.
  [[nodiscard]] std::size_t write(std::span<const ByteView> plaintext);

  /// Ciphertext to send. The view lives until the next call on this stream.
  [[nodiscard]] ByteView pending() const noexcept;
  /// The first `count` bytes of pending() have been sent.
  void consumed(std::size_t count);

  /// Appends close_notify (once the handshake is done); nothing can be written any more.
  void close();

  [[nodiscard]] StreamState state() const noexcept;
  /// After `failed`: a few words for a log, such as "unsupported protocol"; "" otherwise. Lives as
  /// long as the stream.
  [[nodiscard]] std::string_view failure() const noexcept;
  /// "TLSv1.3", once the handshake is done; "" before.
  [[nodiscard]] std::string_view protocol() const noexcept;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace runnel::tls
