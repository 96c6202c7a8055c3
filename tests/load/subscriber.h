// One viewer: a session of WHEP, a UDP socket, a peer; it counts what it gets.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <string>

#include "core/base/address.h"
#include "core/base/random.h"
#include "core/base/time.h"
#include "core/dtls/context.h"
#include "core/rtp/sequence_unwrapper.h"
#include "tests/load/system.h"
#include "tests/peer/test_peer.h"

namespace runnel::load {

/// Use: join -> receive when the socket is readable, handle_timeout at next_timeout() -> leave.
class Subscriber {
 public:
  /// `context` and `random` must outlive it.
  Subscriber(const dtls::Context& context, RandomSource& random);
  Subscriber(const Subscriber&) = delete;
  Subscriber& operator=(const Subscriber&) = delete;

  /// Waits for the answer. An error is a sentence.
  [[nodiscard]] std::expected<void, std::string> join(const SocketAddress& server,
                                                      const std::string& stream);
  /// All that the socket has.
  void receive(Timestamp now);
  void handle_timeout(Timestamp now);
  [[nodiscard]] std::optional<Timestamp> next_timeout() const noexcept {
    return peer_.next_timeout();
  }
  /// Ends the session.
  void leave(const SocketAddress& server);

  [[nodiscard]] int socket() const noexcept { return socket_->get(); }
  [[nodiscard]] bool is_connected() const noexcept { return peer_.is_connected(); }
  [[nodiscard]] std::uint64_t packets() const noexcept { return peer_.rtp_received(); }
  /// Packets that are missing between those that came.
  [[nodiscard]] std::uint64_t missing() const noexcept;
  /// What could not be decrypted, and what was nothing at all.
  [[nodiscard]] std::uint64_t faults() const noexcept { return peer_.faults(); }
  /// From its offer to its first packet of media.
  [[nodiscard]] std::optional<Duration> first_packet_after() const noexcept;

 private:
  struct Line {
    rtp::SequenceUnwrapper positions;
    std::uint64_t first = 0;
    std::uint64_t packets = 0;
  };

  void take(Timestamp now, ByteView packet);
  void send();

  const dtls::Context& context_;
  test::TestPeer peer_;
  std::optional<Socket> socket_;
  std::string resource_;
  Timestamp joined_{};
  Timestamp now_{};
  std::optional<Timestamp> first_packet_;
  std::map<std::uint32_t, Line> lines_;  // by SSRC
};

}  // namespace runnel::load
