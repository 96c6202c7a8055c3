// The other end of a peer connection, as a browser is: ICE, DTLS and SRTP in one object without
// socket or clock.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "core/base/bytes.h"
#include "core/base/random.h"
#include "core/base/time.h"
#include "core/dtls/association.h"
#include "core/dtls/context.h"
#include "core/ice/credentials.h"
#include "core/srtp/srtp_receiver.h"
#include "core/srtp/srtp_sender.h"
#include "core/transport/peer_description.h"
#include "tests/peer/checking_agent.h"
#include "tests/peer/datagrams.h"

namespace runnel::test {

struct TestPeerOptions {
  /// Browsers that have got an offer with a=setup:actpass, or whose offer was answered by passive,
  /// are active.
  dtls::Role role = dtls::Role::active;
  CheckingOptions checking = {};
  std::size_t max_ssrcs = 256;  // SRTP contexts in each direction
};

/// What the other side has told by SDP.
struct RemoteSide {
  ice::Credentials ice;
  dtls::Fingerprint fingerprint;
};

/// Use: connect, receive or handle_timeout -> next_datagram until nullopt -> arm next_timeout().
/// Addresses are its user's business: what it sends goes to the one server that there is, and
/// comes from wherever the user says. A session that has to change its address in the middle just
/// sends from another one and calls `check`.
class TestPeer {
 public:
  /// `context` and `random` must outlive it. Many may share a context, and so a certificate.
  TestPeer(const dtls::Context& context, RandomSource& random, TestPeerOptions options = {});
  TestPeer(const TestPeer&) = delete;
  TestPeer& operator=(const TestPeer&) = delete;

  /// For the server: what an SDP of ours would say.
  [[nodiscard]] transport::RemoteDescription description() const;
  /// Begins to check. DTLS follows when a path is nominated.
  void connect(Timestamp now, const RemoteSide& remote);

  // Datagrams.

  /// Whatever has come from the server; SRTP is decrypted in place.
  void receive(Timestamp now, ByteSpan datagram);
  void handle_timeout(Timestamp now);
  /// nullopt: nothing is waited for.
  [[nodiscard]] std::optional<Timestamp> next_timeout() const noexcept;
  /// Valid until the next call that is not const.
  [[nodiscard]] std::optional<ByteView> next_datagram();

  // Media.

  /// Clear RTP or RTCP. False: there are no keys yet, or it is too long.
  bool send(srtp::PacketKind kind, ByteView packet);
  /// Told of each packet that has been decrypted.
  std::function<void(srtp::PacketKind kind, ByteView packet)> on_media;

  // What else happens in a session.

  /// Another check at once.
  void check(Timestamp now) { agent_.check(now, outgoing_); }
  /// New credentials of ours: tell the server the new `description()`, and give `resume` what it
  /// answers.
  void restart() { agent_.restart(); }
  void resume(Timestamp now, const ice::Credentials& remote) {
    agent_.start(now, remote, outgoing_);
  }
  /// Says close_notify, and nothing any more.
  void close();
  /// Gone without a word.
  void vanish() noexcept;

  [[nodiscard]] bool is_nominated() const noexcept { return agent_.is_nominated(); }
  /// Keys are there.
  [[nodiscard]] bool is_connected() const noexcept { return sender_.has_value(); }
  /// The server has said close_notify.
  [[nodiscard]] bool is_closed() const noexcept;
  [[nodiscard]] CheckingAgent& agent() noexcept { return agent_; }
  /// nullptr: the handshake has not begun.
  [[nodiscard]] dtls::Association* association() noexcept { return dtls_ ? &*dtls_ : nullptr; }
  [[nodiscard]] srtp::Sender* sender() noexcept { return sender_ ? &*sender_ : nullptr; }
  [[nodiscard]] std::uint64_t rtp_received() const noexcept { return rtp_received_; }
  [[nodiscard]] std::uint64_t rtcp_received() const noexcept { return rtcp_received_; }
  /// SRTP that could not be decrypted, and bytes that are nothing.
  [[nodiscard]] std::uint64_t faults() const noexcept { return faults_; }

 private:
  void open(Timestamp now);
  void begin_when_nominated(Timestamp now);
  void collect();
  void receive_media(srtp::PacketKind kind, ByteSpan datagram);

  const dtls::Context& context_;
  TestPeerOptions options_;
  CheckingAgent agent_;
  dtls::Fingerprint remote_fingerprint_;
  std::optional<dtls::Association> dtls_;
  std::optional<srtp::Receiver> receiver_;
  std::optional<srtp::Sender> sender_;
  Datagrams outgoing_;
  Bytes present_;  // the one that next_datagram has answered
  bool gone_ = false;
  std::uint64_t rtp_received_ = 0;
  std::uint64_t rtcp_received_ = 0;
  std::uint64_t faults_ = 0;
};

}  // namespace runnel::test
