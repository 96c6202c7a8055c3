// One DTLS association without a socket: datagrams and time in, datagrams and SRTP keys out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "core/base/bytes.h"
#include "core/base/time.h"
#include "core/dtls/context.h"
#include "core/dtls/fingerprint.h"
#include "core/srtp/master_key.h"

namespace runnel::dtls {

/// Largest datagram that is sent, in bytes; nobody is asked for the path's own MTU.
inline constexpr std::size_t kMtu = 1200;
/// Longer ones that come are ignored. Firefox sends 1408.
inline constexpr std::size_t kMaxDatagramSize = 2048;
/// The peer's Certificate message, in bytes (RFC 5246 §7.4.2). A longer one ends the handshake.
inline constexpr std::size_t kMaxCertificateMessage = 16 * 1024;
/// Fingerprints of one peer that are looked at; those beyond are as good as unknown.
inline constexpr std::size_t kMaxFingerprints = 8;
/// Datagrams that wait for next_datagram; those beyond are lost, as on a network.
inline constexpr std::size_t kMaxOutgoingDatagrams = 32;
/// Handshake records of the next epoch (Finished) that are kept until their keys are there
/// (RFC 6347 §4.1); other early records are not.
inline constexpr std::size_t kMaxEarlyRecords = 8;

enum class Role : std::uint8_t {
  passive,  // the server: waits for a ClientHello
  active,   // the client: sends it
};

struct AssociationOptions {
  Role role = Role::passive;
  /// How long an answer to a flight is waited for before it is sent again (RFC 6347 §4.2.4.1): at
  /// first, and at most, doubled each time.
  Duration first_timeout = std::chrono::seconds(1);
  Duration longest_timeout = std::chrono::seconds(8);
  /// How often one flight is sent again before the handshake has failed; at most 12.
  std::size_t retransmissions = 6;
};

enum class State : std::uint8_t {
  handshaking,     // also when all has been said, and the fingerprints are not known yet
  connected,       // the peer is who it said to be: keys() are there
  closed_by_peer,  // it has said close_notify
  closed,          // close() was called
  failed,          // failure() says why; an alert may wait in next_datagram
};
[[nodiscard]] std::string_view to_string(State state) noexcept;

enum class Failure : std::uint8_t {
  wrong_fingerprint,  // the peer's certificate is none of those expected
  no_common_profile,  // no SRTP profile that both sides know, or none offered at all
  timed_out,          // a flight has been sent as often as allowed
  alert,              // the peer has ended it
  protocol_error,     // what the peer said is not acceptable; it was sent an alert
};
[[nodiscard]] std::string_view to_string(Failure failure) noexcept;

/// Both of one profile, without MKI (RFC 5764 §4.2).
struct SrtpKeys {
  srtp::MasterKey local;   // protects what we send
  srtp::MasterKey remote;  // protects what the peer sends
};

struct AssociationCounts {
  /// Datagrams that are no DTLS records at all, or too long, or came when all was over, and those
  /// with a record that had to be cut off: of a kind that has no place there, or beyond
  /// kMaxEarlyRecords. What only OpenSSL can judge (replayed or forged records) it drops without
  /// a word.
  std::uint64_t ignored = 0;
  std::uint64_t application_records = 0;  // such as SCTP; nobody here wants them
  std::uint64_t retransmitted_flights = 0;
  std::uint64_t lost_datagrams = 0;  // of ours, beyond kMaxOutgoingDatagrams
};

/// DTLS 1.2 (RFC 6347), and 1.3 where OpenSSL has it, with use_srtp (RFC 5764). Both sides have
/// certificates. The peer's may be of any issuer, dates and kind of key: its fingerprint is all
/// that counts (RFC 8122), and without one that is right there are no keys. There is no
/// renegotiation, no resumption and no cookie exchange: whoever comes here has been authenticated
/// by ICE.
///
///   receive or handle_timeout; next_datagram until nullopt; look at state(); arm next_timeout()
///
/// Records that are malformed, forged, replayed or of another epoch are ignored. As long as nothing
/// is encrypted, messages that cannot be true end the handshake, and so does an alert, since it may
/// be all that the peer can say; an association that is connected is ended by neither.
///
/// Time is `now` alone. (OpenSSL reads a clock of its own and gives no other way to have a flight
/// sent again, so it is told that its timer has run out right when it has sent one, as often as
/// there may be retransmissions. These wait here for their time. Randomness is OpenSSL's own.)
///
/// Memory: about 50 kB during the handshake and 40 kB after it, nearly all of it OpenSSL's; under
/// 400 kB at the worst that a peer can do. Not thread-safe; associations of one Context may live on
/// different threads. `now` never runs backwards.
class Association {
 public:
  explicit Association(const Context& context, AssociationOptions options = {});
  Association(Association&&) noexcept;
  Association& operator=(Association&&) noexcept;
  ~Association();

  /// One of which the peer's certificate must have; not empty. May be called before, during or
  /// after the exchange of flights; a second call changes nothing.
  void expect(std::span<const Fingerprint> fingerprints) noexcept;

  /// The active role sends its ClientHello. Nothing for the passive role, or the second time.
  void start(Timestamp now) noexcept;
  /// One datagram as it came from the network.
  void receive(Timestamp now, ByteView datagram) noexcept;
  void handle_timeout(Timestamp now) noexcept;
  /// nullopt: no answer is waited for.
  [[nodiscard]] std::optional<Timestamp> next_timeout() const noexcept;
  /// The next datagram to send, of whole records, at most kMtu bytes, until nullopt. The view is
  /// valid until the next call that is not const.
  [[nodiscard]] std::optional<ByteView> next_datagram() noexcept;

  /// Says close_notify when there is somebody to tell. No keys afterwards; nothing is received.
  void close() noexcept;

  [[nodiscard]] State state() const noexcept;
  /// Only after State::failed.
  [[nodiscard]] std::optional<Failure> failure() const noexcept;
  /// After State::failed a few words for a log, such as "unsupported protocol"; "" otherwise. Lives
  /// as long as the association.
  [[nodiscard]] std::string_view failure_detail() const noexcept;
  /// Exported anew by each call, so that nothing stays here. nullopt unless State::connected.
  [[nodiscard]] std::optional<SrtpKeys> keys() const noexcept;
  [[nodiscard]] const AssociationCounts& counts() const noexcept;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace runnel::dtls
