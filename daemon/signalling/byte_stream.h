// The bytes of one TCP connection, in the clear or through TLS.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "core/base/bytes.h"
#include "core/tls/server_context.h"
#include "core/tls/stream.h"
#include "daemon/file_descriptor.h"

namespace runnel::daemon {

/// Where all connections of a worker read into, one after the other.
struct ReadBuffers {
  std::array<std::uint8_t, 64 * 1024> received;
  std::array<std::uint8_t, 32 * 1024> decrypted;
};

struct Received {
  enum class Outcome : std::uint8_t {
    bytes,
    nothing,       // until the socket is readable again
    ended,         // the peer sends no more
    failed,        // failure() says why; nothing can be sent either
    plain_on_tls,  // text where TLS is spoken: the stream is in the clear now, to say so
    tls_on_plain,  // a TLS handshake where none is expected
    frames,  // bytes, the first ones, of framed packets; the stream is in the clear from now on
  };
  Outcome outcome = Outcome::nothing;
  ByteSpan bytes;  // in the buffers, until the next call of read
};

/// A non-blocking socket. The socket is read once for each wake-up, so that no client takes more
/// than its share.
class ByteStream {
 public:
  /// `tls` is nullptr for a stream in the clear. `accepts_frames`: whether packets may come instead
  /// of what is spoken here, told by the first byte.
  ByteStream(FileDescriptor socket, const tls::ServerContext* tls, bool accepts_frames);

  [[nodiscard]] int descriptor() const noexcept { return socket_.get(); }
  [[nodiscard]] bool is_encrypted() const noexcept { return tls_.has_value(); }

  /// The socket is readable: it may be read once more.
  void set_readable() noexcept { has_read_ = false; }
  /// The socket is writable again.
  void set_writable() noexcept { is_blocked_ = false; }
  /// Call until it does not answer `bytes`.
  [[nodiscard]] Received read(ReadBuffers& buffers);

  /// Sends the parts one after the other, in one go, and answers how many bytes were taken: fewer
  /// than given when the socket is full or has failed.
  [[nodiscard]] std::size_t write(std::span<const ByteView> parts);
  /// Sends ciphertext that waits. True when there is none left.
  bool flush();
  /// What the kernel may hold that the network has not taken yet.
  void limit_unsent(int bytes) noexcept;
  /// Whether the socket took less than it was offered, so that it has to become writable first.
  [[nodiscard]] bool is_blocked() const noexcept { return is_blocked_; }
  [[nodiscard]] bool has_pending() const noexcept { return tls_ && !tls_->pending().empty(); }
  /// Nothing more will be sent: close_notify of TLS, and the end of the stream once it has left.
  void end();

  [[nodiscard]] bool has_failed() const noexcept { return !failure_.empty(); }
  /// A few words for a log.
  [[nodiscard]] std::string_view failure() const noexcept { return failure_; }

 private:
  [[nodiscard]] Received read_socket(ReadBuffers& buffers);
  [[nodiscard]] std::optional<Received> examine_first_byte(ByteSpan bytes);
  [[nodiscard]] std::optional<Received> decrypt(ReadBuffers& buffers);
  [[nodiscard]] std::size_t send(std::span<const ByteView> parts) noexcept;
  Received fail(std::string_view why) noexcept;

  FileDescriptor socket_;
  std::optional<tls::Stream> tls_;
  std::string_view failure_;
  bool accepts_frames_;
  bool has_read_ = true;
  bool is_blocked_ = false;
  bool has_begun_ = false;
  bool has_ended_ = false;
};

}  // namespace runnel::daemon
