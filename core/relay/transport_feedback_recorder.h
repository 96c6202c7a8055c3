// When a peer's numbered packets arrived, until it has been told.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/base/bytes.h"
#include "core/base/time.h"
#include "core/rtp/sequence_unwrapper.h"

namespace runnel::relay {

/// For one peer that sends media with transport-wide numbers. Feedback covers all numbers from the
/// last one told to the highest that has arrived, the missing ones as not received. What comes late
/// after it was told missing is told again, with all that follows it. Duplicates keep their first
/// time. Fixed memory (about 8 KiB), no allocation.
class TransportFeedbackRecorder {
 public:
  /// Numbers that are kept. What a gap pushes out untold is not told any more.
  static constexpr std::uint64_t kCapacity = 1024;
  static constexpr Duration kInterval = std::chrono::milliseconds(50);
  /// How far behind what has been told a late packet may be to be told still.
  static constexpr std::uint64_t kMaxRepeated = 256;

  /// Of an authenticated packet. Far from the numbers so far (more than kCapacity behind), two that
  /// follow each other begin anew, as does a sender that has lost count.
  void arrived(std::uint16_t number, Timestamp now) noexcept;

  /// When feedback is due; nullopt when there is nothing to tell. kInterval after the first arrival
  /// that has not been told; at once when half of the capacity is waiting.
  [[nodiscard]] std::optional<Timestamp> deadline() const noexcept { return deadline_; }

  /// Writes one RTPFB packet of what is waiting, due or not, and answers its size; 0 when nothing
  /// is waiting or `out` is shorter than rtp::TransportFeedbackWriter::kMinSize. What does not fit
  /// stays waiting, with its deadline. `media_ssrc` must be one that the peer sends with: it
  /// ignores feedback on others.
  [[nodiscard]] std::size_t write(std::uint32_t sender_ssrc, std::uint32_t media_ssrc,
                                  ByteSpan out) noexcept;

  /// Packets written.
  [[nodiscard]] std::uint64_t feedback_count() const noexcept { return feedback_count_; }

 private:
  static constexpr Timestamp kNever = Timestamp::min();

  void begin(std::uint16_t number, Timestamp now) noexcept;
  void advance_to(std::uint64_t position) noexcept;
  void forget_arrivals(std::uint64_t from, std::uint64_t to) noexcept;
  [[nodiscard]] Timestamp& arrival(std::uint64_t position) noexcept {
    return arrivals_[position % kCapacity];
  }

  rtp::SequenceUnwrapper line_;
  std::array<Timestamp, kCapacity> arrivals_;  // of the positions from oldest_ to end_
  std::uint64_t oldest_ = 0;
  std::uint64_t begin_ = 0;  // the first that waits to be told
  std::uint64_t end_ = 0;    // behind the highest that has arrived; 0: none has
  std::optional<std::uint16_t> after_jump_;
  std::optional<Timestamp> deadline_;
  std::uint64_t feedback_count_ = 0;
};

}  // namespace runnel::relay
