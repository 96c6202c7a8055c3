// Datagrams that wait to be sent: at once, or again when no answer has come (RFC 6347 §4.2.4). For
// .cpp files of this room only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/bytes.h"
#include "core/base/time.h"
#include "core/dtls/association.h"

namespace runnel::dtls {

/// OpenSSL makes all retransmissions of a flight right after the flight itself, each with record
/// sequence numbers of its own. (The same bytes sent twice would not do: a peer that has had the
/// first would drop the second as replayed, and never say again what we have missed.)
class FlightQueue {
 public:
  explicit FlightQueue(const AssociationOptions& options);

  // What OpenSSL does.

  /// A flight that wants an answer begins: the one before has been answered. Answers whether it
  /// shall be made once more.
  [[nodiscard]] bool begin_flight() noexcept;
  /// The same flight, to be sent again. Answers whether it shall be made once more.
  [[nodiscard]] bool begin_retransmission() noexcept;
  /// A datagram, which is lost when there are kMaxOutgoingDatagrams already.
  void write(ByteView datagram) noexcept;

  // What the association does.

  /// What is written from now on has nothing to do with what was written before.
  void begin_turn(Timestamp now) noexcept;
  /// No answer is waited for any more.
  void settle() noexcept;
  enum class Timeout : std::uint8_t { not_yet, sent_again, gave_up };
  [[nodiscard]] Timeout handle_timeout(Timestamp now) noexcept;
  [[nodiscard]] std::optional<Timestamp> deadline() const noexcept { return deadline_; }
  /// Valid until the next call that is not const.
  [[nodiscard]] std::optional<ByteView> next() noexcept;
  [[nodiscard]] std::uint64_t lost() const noexcept { return lost_; }

 private:
  using Datagram = std::vector<std::uint8_t>;
  using Flight = std::vector<Datagram>;

  void append(Flight& flight, std::size_t first, ByteView records);

  AssociationOptions options_;
  Timestamp now_{};
  Flight waiting_;
  std::size_t taken_ = 0;        // of `waiting_`, by next()
  std::size_t turn_begins_ = 0;  // in `waiting_`
  std::vector<Flight> retransmissions_;
  std::size_t sent_again_ = 0;  // of `retransmissions_`
  bool is_retransmitting_ = false;
  std::optional<Timestamp> deadline_;
  Duration interval_{};
  std::uint64_t lost_ = 0;
};

}  // namespace runnel::dtls
