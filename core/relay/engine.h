// The relay engine of one worker: datagrams, messages and time in, datagrams, messages and events
// out. No socket, no clock, no log.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/address.h"
#include "core/base/bytes.h"
#include "core/base/drop_reason.h"
#include "core/base/random.h"
#include "core/base/time.h"
#include "core/relay/event.h"
#include "core/relay/outbox.h"
#include "core/relay/relay_description.h"
#include "core/relay/statistics.h"
#include "core/transport/event.h"
#include "core/transport/transports.h"

namespace runnel::relay {

struct EngineState;

/// Everything that has a bound; the defaults are those of config/runnel.yaml.
struct EngineLimits {
  std::size_t relays = 1'000;                // at once
  std::size_t receivers_per_relay = 10'000;  // at once
  std::size_t media_per_leg = 16;
  std::size_t ssrcs_per_leg = 64;               // SRTP contexts kept for each source leg
  std::size_t retransmission_packets = 512;     // kept of each encoding; a power of two, or 0
  std::size_t retransmissions = 1'024;          // asked for and not yet sent, of all receivers
  std::uint64_t publisher_bitrate = 8'000'000;  // bits per second that publishers by peers are
                                                // allowed, where they ask (REMB)
  std::size_t events = 1'024;  // waiting for take_events; more are lost, and counted as
                               // queue_full among the stray drops
  Duration key_frame_interval =
      std::chrono::milliseconds(500);  // least time between two requests to one source
  Duration report_interval = std::chrono::seconds(1);  // between our reception reports
  Duration stall = std::chrono::seconds(5);            // silence after which a track is stalled
  Duration hold =
      std::chrono::seconds(30);  // silence after which it has ended and receivers get a BYE
};

enum class RelayError : std::uint8_t {
  too_many_relays,
  too_many_receivers,
  too_many_media,
  duplicate_stream,
  port_in_use,            // two legs listen on one port and cannot be told apart
  path_in_use,            // two receivers share local port and destination
  ssrc_in_use_with_key,   // two senders would use the same key with the same pinned SSRC: the same
                          // keystream twice
  unknown_source_medium,  // ReceiverMedium::source is out of range
  no_media,
  duplicate_payload_type,  // two media on one port with one payload type
  ssrc_in_use_on_port,     // another leg on this shared port is known by this SSRC
  other_media,             // replace_source: not the media that the stream has
  unknown_peer,            // the Transports have no such peer, or the engine has no Transports
  duplicate_mid,           // two media of one peer have the same MID
};
[[nodiscard]] std::string_view to_string(RelayError error) noexcept;

/// A datagram as it was received. `bytes` is decrypted in place and must stay alive and untouched
/// until `drain` has answered false.
struct IncomingDatagram {
  PortIndex port{};
  SocketAddress remote;
  ByteSpan bytes;
  bool truncated = false;  // longer than the buffer it was received into
};

/// One clear RTP packet that came by a leg's connection, which must still be the one that the
/// relay's source has: otherwise it counts as superseded_source. `bytes` must stay alive and
/// untouched until `drain` has answered false.
struct IncomingMessage {
  ChannelId channel{};
  std::size_t relay = 0;
  std::size_t medium = 0;  // of SourceLeg::media; an unknown one counts as unknown_payload_type
  ByteSpan bytes;
};

/// What a receiver says of itself by another way than RTCP; what is missing stays as it was.
struct ReceiverReport {
  std::optional<double> fraction_lost;  // 0 to 1
  std::optional<Duration> jitter;
  std::optional<Duration> round_trip;
};

/// Use: handle_* -> drain until false -> take_events -> arm the timer for next_timeout(). Calls
/// must not nest, and every handle_* must be drained before the next. `now` never runs backwards.
/// One thread.
///
/// Relays and receivers come and go between a `drain` that has answered false and the next
/// handle_*, any number of them at once; what they want sent waits for `drain`. The number of a
/// removed one stays its own for events and names, and is given again by an add_* after its
/// good-byes have been drained and take_events has been called since. Calls with a number that is
/// not in use abort, unless they say otherwise.
class Engine {
 public:
  /// `random` and `transports` must outlive the engine. Without transports there are no legs with
  /// peers. The engine feeds them: everybody else adds, describes and removes peers alone, and
  /// removes one only after its legs.
  Engine(EngineLimits limits, RandomSource& random, transport::Transports* transports = nullptr);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Ports on which legs of several relays share one socket: receivers are told apart by their path
  /// (or ReceiverMedium::reply_ssrc until that is known), sources by SourceMedium::ssrc or
  /// SourceMedium::remote. Call before add_relay.
  void add_shared_port(PortIndex port);

  // Comings and goings. They allocate. A key that has been in use under a pinned SSRC must not come
  // again under the same, since its packet indices begin anew.

  /// Answers its number. Receivers are numbered as in `RelayDescription::to`, which may be empty.
  [[nodiscard]] std::expected<std::size_t, RelayError> add_relay(RelayDescription relay);
  /// A BYE to all receivers and to the source waits for `drain`. The stream's name, ports, paths
  /// and SSRCs are free at once.
  void remove_relay(std::size_t relay);
  /// Another source takes the stream over; the old one, if there is one, gets a BYE, and nothing of
  /// it is accepted any more. As many media as before, of equal kind, codec name (whatever the
  /// case) and clock rate, otherwise `other_media`; they keep their names. Receivers notice
  /// nothing: their packets go on as after a new SSRC, and a key frame is asked for. An error
  /// changes nothing.
  [[nodiscard]] std::expected<void, RelayError> replace_source(std::size_t relay, SourceLeg from);
  /// The publisher is gone: it gets a BYE, nothing of it is accepted any more, and its tracks end
  /// as by a BYE from it. Receivers wait for another one for EngineLimits::hold. Nothing happens
  /// when there is no source.
  void detach_source(std::size_t relay);
  /// Answers its number within the relay; asks for a key frame, of a peer when it is connected.
  [[nodiscard]] std::expected<std::size_t, RelayError> add_receiver(std::size_t relay,
                                                                    ReceiverLeg leg);
  /// A BYE for each medium waits for `drain`. Its path, port and SSRCs are free at once.
  void remove_receiver(std::size_t relay, std::size_t receiver);
  /// Nothing but a BYE is sent to a receiver while it is paused; what it misses counts as `paused`.
  /// Afterwards its sequence numbers go on without a gap, and a key frame is asked for.
  void set_paused(std::size_t relay, std::size_t receiver, bool paused);
  /// Of a receiver's medium whose source may have several encodings. The present one goes on until
  /// a key frame of the other has come, which is asked for.
  void set_layers(ReceiverMediumId receiver, const LayerWish& wish);
  /// A random SSRC that nobody uses, for a publisher that is told to use it (give it in
  /// SourceMedium::ssrc; it is reserved until the source leg that has it goes), or for a receiver
  /// by a peer that is told of it beforehand (WebRtcMedium::ssrcs).
  [[nodiscard]] std::uint32_t draw_ssrc();
  /// One from draw_ssrc that no source leg got after all.
  void release_ssrc(std::uint32_t ssrc) noexcept;
  /// A receiver's name has been resolved, or has a new address. False when `port` and destination
  /// belong to another receiver.
  [[nodiscard]] bool set_destination(ReceiverMediumId receiver, SocketAddress rtp,
                                     SocketAddress rtcp);

  /// A receiver asks for a key frame by another way than RTCP; counts as one.
  void request_key_frame(ReceiverMediumId receiver) noexcept;
  /// The same of its reception report.
  void note_report(Timestamp now, ReceiverMediumId receiver, const ReceiverReport& report) noexcept;
  /// The source's clock, by another way than an RTCP sender report. Nothing before its first
  /// packet.
  void note_sender_report(Timestamp now, std::size_t relay, std::size_t medium, NtpTime ntp,
                          RtpTime rtp) noexcept;

  void handle_datagrams(Timestamp now, std::span<const IncomingDatagram> batch) noexcept;
  void handle_messages(Timestamp now, std::span<const IncomingMessage> batch) noexcept;
  void handle_timeout(Timestamp now) noexcept;
  /// A datagram or message that `drain` had handed out was not sent: the kernel refused it, or its
  /// reader is too slow. To be called before take_events; of somebody who is gone for longer
  /// nothing is counted.
  void handle_send_failure(std::uint32_t owner, DropReason reason) noexcept;
  /// Datagrams that the daemon could not even take in (too long, or queue overflow reported by the
  /// kernel).
  void count_drop(PortIndex port, DropReason reason, std::uint64_t count = 1) noexcept;
  /// The network reports that `destination`, reached from `port`, is not there.
  void handle_unreachable(PortIndex port, const SocketAddress& destination) noexcept;
  /// What `transports` has to say; see Transports::take_events. Legs of a peer that has ended stay
  /// until they are removed.
  void take_peer_events(std::vector<transport::Event>& out);
  /// The TCP connection that a path was is gone.
  void handle_closed_path(Timestamp now, const Path& path) noexcept;
  /// Ends everything: a BYE to each receiver and to each source waits for `drain`.
  void shut_down(Timestamp now) noexcept;

  /// Clears the outbox and fills it with what is to be sent, sealed. True when there is something;
  /// call again after sending.
  [[nodiscard]] bool drain(Outbox& outbox) noexcept;
  /// When handle_timeout wants to be called; nullopt: never.
  [[nodiscard]] std::optional<Timestamp> next_timeout() const noexcept;

  /// Appends the events since the last call to `out`, oldest first.
  void take_events(std::vector<Event>& out);
  /// Allocates; for people and not for each packet.
  [[nodiscard]] RelayStatistics statistics(std::size_t relay) const;
  /// Of these, the encodings of one medium of the source.
  [[nodiscard]] std::vector<EncodingStatistics> encodings(std::size_t relay,
                                                          std::size_t medium) const;
  [[nodiscard]] std::size_t relay_count() const noexcept;
  /// The numbers of all relays, without removed ones, ascending.
  [[nodiscard]] std::vector<std::size_t> relays() const;
  [[nodiscard]] std::optional<std::size_t> find_relay(std::string_view stream) const;

  // Names and the like; of removed ones too, until their numbers are given again. Views hold until
  // the relay's number is.

  [[nodiscard]] std::string_view stream_name(std::size_t relay) const;
  [[nodiscard]] std::string_view medium_name(std::size_t relay, std::size_t medium) const;
  /// Of the source's medium that the receiver gets.
  [[nodiscard]] std::string_view medium_name(ReceiverMediumId receiver) const;
  /// Under which it gets its packets. It changes when packets come again after a BYE, unless
  /// pinned.
  [[nodiscard]] std::uint32_t receiver_ssrc(ReceiverMediumId receiver) const;
  /// Of the retransmissions to it (RFC 4588); nullopt: not agreed.
  [[nodiscard]] std::optional<std::uint32_t> retransmission_ssrc(ReceiverMediumId receiver) const;
  /// Of all that belongs together in time, as in RTCP: for a=ssrc and a=msid. Until the relay is
  /// removed.
  [[nodiscard]] std::string_view canonical_name(std::size_t relay) const;
  /// nullopt: not known, or a leg by message.
  [[nodiscard]] std::optional<SocketAddress> receiver_destination(ReceiverMediumId receiver) const;
  /// Drops that belong to no stream: unknown paths on shared ports, and the like.
  [[nodiscard]] const DropCounters& stray_drops() const noexcept;

 private:
  std::unique_ptr<EngineState> state_;
};

}  // namespace runnel::relay
