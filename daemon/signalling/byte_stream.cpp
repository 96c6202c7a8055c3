#include "daemon/signalling/byte_stream.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "core/tls/first_byte.h"

namespace runnel::daemon {
namespace {

using Outcome = Received::Outcome;

// What is read at once fits beside a record that is not whole yet.
constexpr tls::StreamLimits kTlsLimits{.incoming = 64 * 1024, .outgoing = 128 * 1024};
constexpr std::size_t kMostCiphertextAtOnce = 32 * 1024;
// A client that does not take what the protocol answers is not read from.
constexpr std::size_t kMostPendingWhileReading = 64 * 1024;

constexpr std::size_t kMostParts = 8;

// Of an errno; lives as long as the program.
std::string_view words_of(int error) noexcept {
  const char* words = ::strerrordesc_np(error);
  return words == nullptr ? "unknown error" : words;
}

}  // namespace

ByteStream::ByteStream(FileDescriptor socket, const tls::ServerContext* tls, bool accepts_frames)
    : socket_(std::move(socket)), accepts_frames_(accepts_frames) {
  if (tls != nullptr) tls_.emplace(*tls, kTlsLimits);
}

Received ByteStream::read(ReadBuffers& buffers) {
  for (;;) {
    if (has_failed()) return {Outcome::failed, {}};
    if (tls_) {
      if (const auto received = decrypt(buffers)) return *received;
    }
    if (has_read_) return {};
    has_read_ = true;
    const Received received = read_socket(buffers);
    if (received.outcome != Outcome::bytes || !tls_) return received;
    if (tls_->receive(received.bytes) < received.bytes.size()) return fail("TLS records overflow");
    flush();
  }
}

Received ByteStream::read_socket(ReadBuffers& buffers) {
  ByteSpan room(buffers.received);
  if (tls_) {
    if (tls_->pending().size() > kMostPendingWhileReading) return {};
    room = room.first(kMostCiphertextAtOnce);
  }
  ssize_t size;
  do {
    size = ::recv(descriptor(), room.data(), room.size(), MSG_DONTWAIT);
  } while (size < 0 && errno == EINTR);
  if (size < 0) return errno == EAGAIN ? Received{} : fail(words_of(errno));
  if (size == 0) {
    if (tls_) tls_->receive_end();
    return {Outcome::ended, {}};
  }
  const ByteSpan bytes = room.first(static_cast<std::size_t>(size));
  if (!std::exchange(has_begun_, true)) {
    if (const auto surprise = examine_first_byte(bytes)) return *surprise;
  }
  return {Outcome::bytes, bytes};
}

std::optional<Received> ByteStream::examine_first_byte(ByteSpan bytes) {
  const tls::FirstByte kind = tls::classify_first_byte(bytes.front());
  if (kind == tls::FirstByte::frame && accepts_frames_) {
    tls_.reset();
    return Received{Outcome::frames, bytes};
  }
  if (!tls_) {
    if (kind == tls::FirstByte::tls) return Received{Outcome::tls_on_plain, {}};
    return std::nullopt;
  }
  if (kind == tls::FirstByte::tls) return std::nullopt;
  if (kind != tls::FirstByte::text) return fail("neither TLS nor HTTP");
  tls_.reset();
  return Received{Outcome::plain_on_tls, {}};
}

std::optional<Received> ByteStream::decrypt(ReadBuffers& buffers) {
  const std::size_t size = tls_->read(buffers.decrypted);
  if (size > 0) return Received{Outcome::bytes, ByteSpan(buffers.decrypted).first(size)};
  if (tls_->state() == tls::StreamState::closed_by_peer) return Received{Outcome::ended, {}};
  if (tls_->state() == tls::StreamState::failed) {
    flush();  // the alert
    return fail(tls_->failure());
  }
  return std::nullopt;
}

std::size_t ByteStream::write(std::span<const ByteView> parts) {
  if (!tls_) return send(parts);
  if (!flush()) return 0;
  const std::size_t taken = tls_->write(parts);
  flush();
  return taken;
}

bool ByteStream::flush() {
  while (has_pending() && !is_blocked_ && !has_failed()) {
    const ByteView pending = tls_->pending();
    tls_->consumed(send({&pending, 1}));
  }
  if (has_pending()) return false;
  if (has_ended_) ::shutdown(descriptor(), SHUT_WR);
  return true;
}

// A wish: without it, more of what is old reaches a slow reader.
void ByteStream::limit_unsent(int bytes) noexcept {
  ::setsockopt(descriptor(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, &bytes, sizeof bytes);
}

void ByteStream::end() {
  if (std::exchange(has_ended_, true)) return;
  if (tls_) tls_->close();
  flush();
}

std::size_t ByteStream::send(std::span<const ByteView> parts) noexcept {
  if (has_failed() || is_blocked_) return 0;
  std::array<iovec, kMostParts> vectors;
  std::size_t count = 0;
  std::size_t offered = 0;
  for (const ByteView part : parts.first(std::min(parts.size(), kMostParts))) {
    // sendmsg reads only; its signature is that of recvmsg.
    if (part.empty()) continue;
    vectors[count++] = {const_cast<std::uint8_t*>(part.data()), part.size()};
    offered += part.size();
  }
  if (count == 0) return 0;
  msghdr message{};
  message.msg_iov = vectors.data();
  message.msg_iovlen = count;
  ssize_t sent;
  do {
    sent = ::sendmsg(descriptor(), &message, MSG_DONTWAIT | MSG_NOSIGNAL);
  } while (sent < 0 && errno == EINTR);
  is_blocked_ = sent < static_cast<ssize_t>(offered);
  if (sent >= 0) return static_cast<std::size_t>(sent);
  if (errno != EAGAIN) fail(words_of(errno));
  return 0;
}

Received ByteStream::fail(std::string_view why) noexcept {
  if (failure_.empty()) failure_ = why.empty() ? "unknown error" : why;
  return {Outcome::failed, {}};
}

}  // namespace runnel::daemon
