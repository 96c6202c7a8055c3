// One voice connection: the dialect of Twilio Media Streams on one side, RTP packets on the other.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/bytes.h"
#include "core/base/time.h"
#include "core/voice/error.h"
#include "core/voice/output.h"

namespace runnel::voice {

enum class Role : std::uint8_t {
  /// The client speaks as Twilio does: it sends connected, start, media, dtmf, mark and stop, and
  /// is
  /// sent media, mark and clear. Its audio is published as {stream}; it hears {stream}-reply.
  caller,
  /// The client is a voice program, towards which we speak as Twilio does: it is sent connected,
  /// start, media, dtmf, mark and stop, and sends media, mark and clear. It hears {stream}; its
  /// audio is published as {stream}-reply.
  agent,
};

struct Options {
  std::string stream;                 // without "-reply"; agents find it in customParameters
  std::array<std::uint8_t, 16> id{};  // random bytes, of which streamSid and callSid are made

  // Of the RTP packets that are published.
  std::uint8_t payload_type = 0;
  std::uint32_t ssrc = 0;
  std::uint16_t first_sequence_number = 0;
  RtpTime first_timestamp;

  std::size_t max_message = 1024 * 1024;  // bytes of one text
  /// Agents: audio that waits for its playout; what does not fit is dropped, a message at a time.
  std::chrono::milliseconds max_queue{60'000};
  /// Callers: how far their audio may run ahead of the clock; what comes earlier is dropped.
  std::chrono::milliseconds max_ahead{10'000};
  std::size_t max_marks = 256;  // that wait for their playout
};

/// Messages and packets that went no further; never reset.
struct Counters {
  std::uint64_t queue_full = 0;          // agent's media messages for which there was no room
  std::uint64_t too_early = 0;           // caller's media messages that ran ahead of the clock
  std::uint64_t other_track = 0;         // caller's media messages of another track than inbound
  std::uint64_t unknown_events = 0;      // messages whose event is not known
  std::uint64_t not_started = 0;         // packets for a caller that has not sent start
  std::uint64_t late_packets = 0;        // packets behind, or equal to, one that was delivered
  std::uint64_t other_payload_type = 0;  // packets that are not PCMU, or carry nothing
};

/// Sans-IO. All times are readings of one clock that does not go back. The output must be given to
/// each call and is only appended to. Not thread-safe.
class Session {
 public:
  /// `now` is the start of the stream, from which the client's timestamps count.
  Session(Role role, Options options, Timestamp now);
  Session(Session&&) noexcept;
  Session& operator=(Session&&) noexcept;
  ~Session();

  /// Once, when the connection is open: an agent is sent connected and start.
  void begin(Output& output);
  /// A text message of the client. Events that are not known are ignored, as is everything behind
  /// the end. Never throws.
  [[nodiscard]] std::expected<void, Error> receive(Timestamp now, std::string_view text,
                                                   Output& output);
  /// A clear RTP packet of the stream that the client hears, in the order of arrival. Late packets
  /// and other payload types than `heard_payload_type` are dropped.
  void deliver(Timestamp now, ByteView packet, std::uint8_t heard_payload_type, Output& output);
  /// An event out of Output::peer_events of a session of the other role at the same stream.
  void relay(const PeerEvent& event, Output& output);
  /// The stream that an agent hears is over: it is sent stop. The connection may be closed then.
  void end(Output& output);

  /// When handle_timeout is due; nullopt: nothing waits.
  [[nodiscard]] std::optional<Timestamp> next_timeout() const noexcept;
  void handle_timeout(Timestamp now, Output& output);

  /// After `stop` of a caller, or `end`: close with 1000.
  [[nodiscard]] bool finished() const noexcept;
  [[nodiscard]] Role role() const noexcept;
  /// "MZ" and 32 hexadecimal digits; of a caller empty until it has sent start.
  [[nodiscard]] std::string_view stream_sid() const noexcept;
  [[nodiscard]] const Counters& counters() const noexcept;

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace runnel::voice
