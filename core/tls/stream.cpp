// Drives OpenSSL over two queues of ciphertext.
#include "core/tls/stream.h"

#include <algorithm>
#include <array>
#include <string>

#include <openssl/err.h>
#include <openssl/ssl.h>

#include "core/tls/openssl_error.h"
#include "core/tls/queue_bio.h"
#include "core/tls/server_context_shared.h"

namespace runnel::tls {
namespace {

constexpr std::size_t kMaxRecordContent = SSL3_RT_MAX_PLAIN_LENGTH;
/// What a record, and a key update before it, add to the content, generously.
constexpr std::size_t kRecordOverhead = 256;

/// Takes up to a record's content from several views as if they were one.
class Gatherer {
 public:
  explicit Gatherer(std::span<const ByteView> views) noexcept : views_(views) { skip_empty(); }

  [[nodiscard]] bool empty() const noexcept { return views_.empty(); }

  /// At most `size` bytes (not above kMaxRecordContent). Valid until the next call. Without a copy
  /// when one view has them all.
  [[nodiscard]] ByteView next(std::size_t size) noexcept {
    if (views_.size() == 1 || views_.front().size() - offset_ >= size) {
      const ByteView rest = views_.front().subspan(offset_);
      const ByteView piece = rest.first(std::min(size, rest.size()));
      advance(piece.size());
      return piece;
    }
    std::size_t gathered = 0;
    while (gathered < size && !views_.empty()) {
      const ByteView rest = views_.front().subspan(offset_);
      const ByteView piece = rest.first(std::min(size - gathered, rest.size()));
      copy_bytes(ByteSpan(record_).subspan(gathered), piece);
      gathered += piece.size();
      advance(piece.size());
    }
    return ByteView(record_).first(gathered);
  }

 private:
  void advance(std::size_t count) noexcept {
    offset_ += count;
    skip_empty();
  }
  void skip_empty() noexcept {
    while (!views_.empty() && views_.front().size() == offset_) {
      views_ = views_.subspan(1);
      offset_ = 0;
    }
  }

  std::span<const ByteView> views_;
  std::size_t offset_ = 0;
  std::array<std::uint8_t, kMaxRecordContent> record_;
};

}  // namespace

std::string_view to_string(StreamState state) noexcept {
  switch (state) {
    case StreamState::handshaking:
      return "handshaking";
    case StreamState::open:
      return "open";
    case StreamState::closed_by_peer:
      return "closed_by_peer";
    case StreamState::closed:
      return "closed";
    case StreamState::failed:
      return "failed";
  }
  return "unknown";
}

class Stream::Implementation {
 public:
  Implementation(SSL_CTX* context, StreamLimits limits) : limits_(limits), ssl_(SSL_new(context)) {
    BioPtr bio = make_queue_bio(incoming_, outgoing_);
    if (ssl_ == nullptr || bio == nullptr) {
      fail("out of memory");
      return;
    }
    BIO* both_ways = bio.release();
    SSL_set_bio(ssl_.get(), both_ways, both_ways);
    SSL_set_accept_state(ssl_.get());
  }

  std::size_t receive(ByteView ciphertext) {
    if (is_over()) return ciphertext.size();
    const std::size_t room = limits_.incoming - std::min(limits_.incoming, incoming_.size());
    const std::size_t taken = std::min(ciphertext.size(), room);
    incoming_.append(ciphertext.first(taken));
    if (state_ == StreamState::handshaking) continue_handshake();
    return taken;
  }

  void receive_end() {
    if (is_over()) return;
    has_ended_ = true;
    if (incoming_.empty() && SSL_pending(ssl_.get()) == 0) fail_as_truncated();
  }

  std::size_t read(ByteSpan out) {
    if (state_ == StreamState::handshaking) continue_handshake();
    if (state_ != StreamState::open || is_full() || out.empty()) return 0;
    ERR_clear_error();
    std::size_t count = 0;
    const int outcome = SSL_read_ex(ssl_.get(), out.data(), out.size(), &count);
    if (outcome == 1) return count;
    examine(outcome);
    return 0;
  }

  std::size_t write(std::span<const ByteView> plaintext) {
    std::size_t total = 0;
    Gatherer gatherer(plaintext);
    while (can_write() && !is_full() && !gatherer.empty()) {
      const std::size_t room = limits_.outgoing - kRecordOverhead - outgoing_.size();
      const ByteView record = gatherer.next(std::min(room, kMaxRecordContent));
      ERR_clear_error();
      std::size_t count = 0;
      const int outcome = SSL_write_ex(ssl_.get(), record.data(), record.size(), &count);
      if (outcome != 1) {
        examine(outcome);
        break;
      }
      total += count;
    }
    return total;
  }

  void close() {
    if (can_write()) {
      ERR_clear_error();
      SSL_shutdown(ssl_.get());
    }
    if (state_ != StreamState::failed) state_ = StreamState::closed;
    incoming_.clear();
  }

  [[nodiscard]] ByteView pending() const noexcept { return outgoing_.view(); }
  void consumed(std::size_t count) { outgoing_.take(std::min(count, outgoing_.size())); }

  [[nodiscard]] StreamState state() const noexcept { return state_; }
  [[nodiscard]] std::string_view failure() const noexcept { return failure_; }
  [[nodiscard]] std::string_view protocol() const noexcept {
    return ssl_ != nullptr && SSL_is_init_finished(ssl_.get()) == 1 ? SSL_get_version(ssl_.get())
                                                                    : "";
  }

 private:
  [[nodiscard]] bool is_over() const noexcept {
    return state_ == StreamState::closed || state_ == StreamState::failed;
  }
  /// A client that has said that it will not write any more may still read (RFC 8446 §6.1).
  [[nodiscard]] bool can_write() const noexcept {
    return state_ == StreamState::open || state_ == StreamState::closed_by_peer;
  }

  [[nodiscard]] bool is_full() const noexcept {
    return outgoing_.size() + kRecordOverhead >= limits_.outgoing;
  }

  void continue_handshake() {
    ERR_clear_error();
    const int outcome = SSL_do_handshake(ssl_.get());
    if (outcome == 1) {
      state_ = StreamState::open;
    } else {
      examine(outcome);
    }
  }

  /// Why a call of OpenSSL has not done what was asked.
  void examine(int outcome) {
    switch (SSL_get_error(ssl_.get(), outcome)) {
      case SSL_ERROR_WANT_READ:
        if (has_ended_ && incoming_.empty()) fail_as_truncated();
        return;
      case SSL_ERROR_ZERO_RETURN:
        state_ = StreamState::closed_by_peer;
        return;
      default:
        fail(take_openssl_error());
    }
  }

  void fail_as_truncated() {
    if (state_ == StreamState::handshaking) fail("the connection ended during the handshake");
    if (state_ == StreamState::open) fail("the connection ended without close_notify");
  }

  void fail(std::string_view why) {
    state_ = StreamState::failed;
    failure_ = why.empty() ? "protocol error" : why;
    incoming_.clear();
  }

  StreamLimits limits_;
  ByteQueue incoming_;
  ByteQueue outgoing_;
  SslPtr ssl_;
  StreamState state_ = StreamState::handshaking;
  bool has_ended_ = false;
  std::string failure_;
};

Stream::Stream(const ServerContext& context, StreamLimits limits)
    : implementation_(std::make_unique<Implementation>(context.shared_->context.get(), limits)) {}
Stream::Stream(Stream&&) noexcept = default;
Stream& Stream::operator=(Stream&&) noexcept = default;
Stream::~Stream() = default;

std::size_t Stream::receive(ByteView ciphertext) {
  return implementation_->receive(ciphertext);
}
void Stream::receive_end() {
  implementation_->receive_end();
}
std::size_t Stream::read(ByteSpan out) {
  return implementation_->read(out);
}
std::size_t Stream::write(std::span<const ByteView> plaintext) {
  return implementation_->write(plaintext);
}
ByteView Stream::pending() const noexcept {
  return implementation_->pending();
}
void Stream::consumed(std::size_t count) {
  implementation_->consumed(count);
}
void Stream::close() {
  implementation_->close();
}
StreamState Stream::state() const noexcept {
  return implementation_->state();
}
std::string_view Stream::failure() const noexcept {
  return implementation_->failure();
}
std::string_view Stream::protocol() const noexcept {
  return implementation_->protocol();
}

}  // namespace runnel::tls
