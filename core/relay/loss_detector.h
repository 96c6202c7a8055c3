// Which packets of an encoding are missing, and when its publisher is to be asked for them again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "core/base/time.h"
#include "core/rtp/sequence_unwrapper.h"

namespace runnel::relay {

struct LossSettings {
  /// What is only reordered comes within this time after the gap.
  Duration reorder_delay = std::chrono::milliseconds(5);
  /// Between two requests for the same packet: about the round trip.
  Duration retry_interval = std::chrono::milliseconds(60);
  std::uint8_t max_tries = 10;
  /// Since the gap was seen.
  Duration max_age = std::chrono::seconds(1);
};

/// Follows the sequence numbers of one SSRC: every packet that arrives on it, padding included, and
/// the original numbers of what its retransmission stream repeats. Never allocates.
class LossDetector {
 public:
  /// Packets that are asked for at a time. A gap that is longer, or would make it more, is given
  /// up with all before it.
  static constexpr std::size_t kMaxMissing = 128;

  explicit LossDetector(const LossSettings& settings = {}) noexcept : settings_(settings) {}

  /// A packet has arrived. False when too much is missing: a video receiver is to be helped by a
  /// key frame instead.
  [[nodiscard]] bool received(std::uint16_t sequence_number, Timestamp now) noexcept;
  /// The round trip to the publisher, when it is known: retries wait for it, within 50 and 100 ms.
  void set_round_trip(Duration round_trip) noexcept;
  /// Another SSRC begins: its numbers have nothing to do with those so far.
  void restart() noexcept;
  /// A key frame has begun, or the source is silent: what is missing is not wanted any more.
  void forget_missing() noexcept { count_ = 0; }

  /// When something is to be asked for or given up; nullopt when nothing is missing.
  [[nodiscard]] std::optional<Timestamp> next_deadline() const noexcept;

  struct Due {
    std::size_t count = 0;     // of `out`
    std::size_t given_up = 0;  // by tries or age: a key frame is to be asked for when above 0
  };
  /// The numbers to ask for now, ascending in serial order, as rtp::build_nack takes them. What
  /// does not fit into `out` stays due.
  [[nodiscard]] Due take_due(Timestamp now, std::span<std::uint16_t> out) noexcept;

  [[nodiscard]] std::size_t missing() const noexcept { return count_; }

 private:
  struct Missing {
    std::uint64_t position = 0;
    Timestamp since;
    Timestamp due;
    std::uint8_t tries = 0;
  };

  [[nodiscard]] bool note_gap(std::uint64_t first, std::uint64_t end, Timestamp now) noexcept;
  void recovered(std::uint64_t position) noexcept;

  LossSettings settings_;
  rtp::SequenceUnwrapper line_;
  std::array<Missing, kMaxMissing> missing_;  // ascending
  std::size_t count_ = 0;
};

}  // namespace runnel::relay
