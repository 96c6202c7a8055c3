// One unbroken line of packets out of a source that may restart: what the receivers of a medium
// follow.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>

#include "core/base/drop_reason.h"
#include "core/base/time.h"
#include "core/relay/sequence_window.h"
#include "core/rtp/sequence_unwrapper.h"

namespace runnel::relay {

/// Where a packet stands on the line.
struct LinePlace {
  std::uint64_t position = 0;  // counts packets, does not wrap
  RtpTime timestamp;
};

/// Places the packets of one SSRC after the other on one line. Within an SSRC, gaps and reordering
/// stay as they are. When another SSRC begins, it goes on behind the last position, and its
/// timestamps go on from the newest one by the time that has passed, by at least one tick. No
/// position is given out twice, and none that is more than `SequenceWindow::kSize` behind: whatever
/// is derived from it by adding an offset never repeats either.
class SourceLine {
 public:
  explicit SourceLine(std::uint32_t clock_rate) noexcept : clock_rate_(clock_rate) {}

  /// The first packet of an SSRC.
  LinePlace begin(Timestamp now, std::uint16_t sequence_number, RtpTime timestamp) noexcept;
  /// A further packet of the SSRC that began last. Refusals: too_old, replayed, and
  /// superseded_source for what is older than the SSRC's first packet, whose place belongs to the
  /// SSRC before. A refused packet changes nothing.
  [[nodiscard]] std::expected<LinePlace, DropReason> place(Timestamp now,
                                                           std::uint16_t sequence_number,
                                                           RtpTime timestamp) noexcept;
  /// For a packet that `place` has refused as too old, from a source that is not authenticated: two
  /// of them in a row mean that the source began anew under its old SSRC (RFC 3550 A.1), and the
  /// second is to `begin`.
  [[nodiscard]] bool begins_anew(std::uint16_t sequence_number) noexcept;

  /// A timestamp of the current SSRC, on the line.
  [[nodiscard]] RtpTime translate(RtpTime timestamp) const noexcept {
    return {timestamp.value + timestamp_offset_};
  }

 private:
  void remember_time(Timestamp now, RtpTime line_time) noexcept;

  std::uint32_t clock_rate_;
  bool begun_ = false;
  rtp::SequenceUnwrapper unwrapper_;
  SequenceWindow window_;
  std::uint64_t position_offset_ = 0;  // position less unwrapped sequence number, modulo 2^64
  std::uint64_t first_position_ = 0;   // nothing below is accepted
  std::uint32_t timestamp_offset_ = 0;
  RtpTime newest_time_;  // on the line
  Timestamp newest_arrival_{};
  std::optional<std::uint16_t> after_jump_;
};

}  // namespace runnel::relay
