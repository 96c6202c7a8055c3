// The relay engine of one worker: datagrams and time in, datagrams and events out. No socket, no
// clock, no log.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
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

namespace runnel::relay {

struct EngineState;

/// Everything that has a bound; the defaults are those of config/runnel.yaml.
struct EngineLimits {
  std::size_t relays = 1'000;
  std::size_t receivers_per_relay = 10'000;
  std::size_t media_per_leg = 16;
  std::size_t ssrcs_per_leg = 64;  // SRTP contexts kept for each source leg
  std::size_t events = 1'024;      // waiting for take_events; more are lost, and counted as
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

/// Use: handle_* -> drain until false -> arm the timer for next_timeout(). Calls must not nest, and
/// every handle_* must be drained before the next. `now` never runs backwards. One thread.
class Engine {
 public:
  /// `random` must outlive the engine.
  Engine(EngineLimits limits, RandomSource& random);
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Ports on which receivers of several relays share one socket; told apart by their path. Call
  /// before add_relay.
  void add_shared_port(PortIndex port);
  /// Relays are numbered from 0 in the order in which they are added.
  [[nodiscard]] std::expected<std::size_t, RelayError> add_relay(RelayDescription relay);
  /// A receiver's name has been resolved, or has a new address. False when `port` and destination
  /// belong to another receiver.
  [[nodiscard]] bool set_destination(ReceiverMediumId receiver, SocketAddress rtp,
                                     SocketAddress rtcp);

  void handle_datagrams(Timestamp now, std::span<const IncomingDatagram> batch) noexcept;
  void handle_timeout(Timestamp now) noexcept;
  /// The kernel refused a datagram that `drain` had handed out.
  void handle_send_failure(std::uint32_t owner, DropReason reason) noexcept;
  /// Datagrams that the daemon could not even take in (too long, or queue overflow reported by the
  /// kernel).
  void count_drop(PortIndex port, DropReason reason, std::uint64_t count = 1) noexcept;
  /// The network reports that `destination`, reached from `port`, is not there.
  void handle_unreachable(PortIndex port, const SocketAddress& destination) noexcept;
  /// Ends everything: a BYE to each receiver and to each source waits for `drain`.
  void shut_down(Timestamp now) noexcept;

  /// Clears the outbox and fills it with what is to be sent, sealed. True when there is something;
  /// call again after sending.
  [[nodiscard]] bool drain(Outbox& outbox) noexcept;
  /// When handle_timeout wants to be called; nullopt: never.
  [[nodiscard]] std::optional<Timestamp> next_timeout() const noexcept;

  /// Appends the events since the last call to `out`, oldest first.
  void take_events(std::vector<Event>& out);
  /// Allocates; for people and not for each packet. `index` < relay_count().
  [[nodiscard]] RelayStatistics statistics(std::size_t index) const;
  [[nodiscard]] std::size_t relay_count() const noexcept;
  /// Drops that belong to no stream: unknown paths on shared ports, and the like.
  [[nodiscard]] const DropCounters& stray_drops() const noexcept;

 private:
  std::unique_ptr<EngineState> state_;
};

}  // namespace runnel::relay
