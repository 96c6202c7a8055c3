// All peers on the shared ports: ICE-lite, DTLS and SRTP keys of each. Datagrams and time in,
// datagrams and events out. No socket, no clock.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/drop_reason.h"
#include "core/base/path.h"
#include "core/base/random.h"
#include "core/base/time.h"
#include "core/dtls/context.h"
#include "core/srtp/srtp_receiver.h"
#include "core/srtp/srtp_sender.h"
#include "core/transport/event.h"
#include "core/transport/peer_description.h"

namespace runnel::transport {

/// Everything that has a bound; the defaults are those of config/runnel.yaml.
struct TransportLimits {
  std::size_t peers = 10'000;
  std::size_t paths_per_peer = 8;      // validated ones; the oldest unused makes room
  std::size_t datagrams_per_turn = 8;  // of DTLS that one turn processes, since a handshake costs
                                       // as much as a thousand packets of media; the others wait
  std::size_t waiting_datagrams = 1'024;  // of DTLS, for their turn and for a path, of all peers
  std::size_t waiting_per_peer = 8;
  std::size_t early_packets = 32;  // of SRTP before its keys are there, of one peer
  std::size_t early_packets_in_all = 512;
  std::size_t outgoing_datagrams = 512;  // that wait for next_datagram
  std::size_t events = 4'096;            // that wait for take_events; PeerEnded is never lost
  std::size_t ssrcs_per_peer = 256;      // SRTP contexts in each direction
  std::size_t replay_window = 1'024;     // packets
  Duration connect = std::chrono::seconds(30);
  Duration consent = std::chrono::seconds(30);  // since the last check or media
  Duration stall = std::chrono::seconds(5);
};

/// A datagram that came before it could be used, in memory of the Transports.
struct EarlyDatagram {
  Path path;
  ByteSpan bytes;
};

/// A datagram to send. Valid until the next call that is not const.
struct OutgoingDatagram {
  Path path;
  ByteView bytes;
};

struct TransportsState;

/// Nothing but a STUN request with the right MESSAGE-INTEGRITY makes a path or changes a peer; a
/// request under an unknown user name leaves no trace but a counter. What is sent to a path that is
/// not authenticated is never longer than what came from it.
///
/// Nothing is allocated for STUN and media; DTLS allocates within OpenSSL. One thread; `now` never
/// runs backwards.
class Transports {
 public:
  /// `context` and `random` must outlive it.
  Transports(TransportLimits limits, const dtls::Context& context, RandomSource& random);
  ~Transports();
  Transports(const Transports&) = delete;
  Transports& operator=(const Transports&) = delete;

  // Comings and goings.

  /// nullopt: there are TransportLimits::peers already. Our credentials are drawn. The connect time
  /// begins.
  [[nodiscard]] std::optional<PeerId> add(Timestamp now);
  /// Ours, for the SDP: the newest after `restart`.
  [[nodiscard]] const ice::Credentials& local_credentials(PeerId peer) const;
  /// What the peer has told: once at first, and again with the same fingerprints. Until then checks
  /// are answered, and DTLS waits. Other fingerprints than the first time are refused by false,
  /// which changes nothing.
  [[nodiscard]] bool set_remote(Timestamp now, PeerId peer, const RemoteDescription& remote);
  /// ICE restart (RFC 8445 §9) to what the peer has told: new credentials of ours. The old ones and
  /// the present path hold until a check under the new ones has come. Refused as by `set_remote`.
  [[nodiscard]] bool restart(Timestamp now, PeerId peer, const RemoteDescription& remote);
  /// Says close_notify, and forgets the peer with its paths.
  void remove(PeerId peer);
  [[nodiscard]] bool holds(PeerId peer) const noexcept;
  /// When its handshake has failed, a few words for a log, such as "unsupported protocol"; "" as
  /// long as it has not. Valid until the peer is removed.
  [[nodiscard]] std::string_view failure_detail(PeerId peer) const noexcept;
  [[nodiscard]] std::size_t size() const noexcept;

  // Datagrams. First bytes tell which call is for them (RFC 7983 §7).

  /// STUN (first byte 0 to 3). A reason when it is of no use: malformed, unknown_path (a user name
  /// that nobody has, a response, or a path that another peer has checked within the last seconds),
  /// authentication_failed.
  [[nodiscard]] std::optional<DropReason> handle_stun(Timestamp now, const Path& path,
                                                      ByteView datagram) noexcept;
  /// DTLS (first byte 20 to 63), from a path of a peer; processed at once or, when this turn has
  /// had its share, at the next handle_timeout. A reason when it is of no use: unknown_path,
  /// queue_full.
  [[nodiscard]] std::optional<DropReason> handle_dtls(Timestamp now, const Path& path,
                                                      ByteView datagram) noexcept;
  /// The connection that a TCP path was is gone.
  void handle_closed_path(Timestamp now, const Path& path) noexcept;
  void handle_timeout(Timestamp now) noexcept;
  /// A new wake-up begins: another share of datagrams may be processed.
  void begin_turn() noexcept;
  [[nodiscard]] std::optional<Timestamp> next_timeout() const noexcept;

  // Media.

  /// Whose path this is; nullopt: no peer has authenticated it.
  [[nodiscard]] std::optional<PeerId> peer_at(const Path& path) const noexcept;
  /// Where media to the peer goes; nullopt: it has no path, no keys, or has ended.
  [[nodiscard]] std::optional<Path> destination(PeerId peer) const noexcept;
  /// Of the peer's RTP and RTCP, and of ours to it; nullptr before there are keys. They stay where
  /// they are until the peer is removed, even when it has ended.
  [[nodiscard]] srtp::Receiver* receiver(PeerId peer) noexcept;
  [[nodiscard]] srtp::Sender* sender(PeerId peer) noexcept;
  /// SRTP from a path of the peer, whose keys are not there yet. A reason when there is no room.
  [[nodiscard]] std::optional<DropReason> hold(const Path& path, ByteView datagram) noexcept;
  /// What was held of peers that have got their keys since the last call, oldest first. The memory
  /// is valid until the call after the next one.
  [[nodiscard]] std::span<const EarlyDatagram> take_early() noexcept;
  /// An authenticated packet of the peer has come. It renews its consent as a check does, since
  /// some clients send no more checks once they are connected.
  void note_media(Timestamp now, PeerId peer) noexcept;

  // Effects.

  /// The next datagram to send, until nullopt.
  [[nodiscard]] std::optional<OutgoingDatagram> next_datagram() noexcept;
  /// Appends the events since the last call to `out`, oldest first.
  void take_events(std::vector<Event>& out);

  struct Counts {
    std::size_t peers = 0;
    std::size_t connected = 0;
    std::uint64_t stun_requests = 0;  // that were authentic
    std::uint64_t handshakes = 0;     // that were completed
    std::uint64_t handshakes_failed = 0;
    std::size_t paths = 0;
    std::size_t waiting_datagrams = 0;
    std::size_t early_packets = 0;     // with those that take_early has answered lately
    std::uint64_t lost_datagrams = 0;  // found no room among TransportLimits::outgoing_datagrams
    std::uint64_t lost_events = 0;
  };
  [[nodiscard]] Counts counts() const noexcept;

 private:
  std::unique_ptr<TransportsState> state_;
};

}  // namespace runnel::transport
