// What a receiver knows of one SSRC's arrival (RFC 3550 A.1, A.3, A.8).
#pragma once

#include <cstdint>

#include "core/base/time.h"
#include "core/rtp/rtcp_packet.h"

namespace runnel::rtp {

/// Feed it every authenticated RTP packet of one SSRC, in order of arrival. Since those packets are
/// authenticated (or come from an allowed address) there is no probation (MIN_SEQUENTIAL is 0); the
/// jump and restart rules of A.1 hold: a packet that jumps far is not counted, and when the next
/// one follows it, counting starts afresh. Never allocates. Not thread-safe.
class ReceptionStatistics {
 public:
  /// `clock_rate` of the RTP timestamps in Hz, not 0.
  explicit ReceptionStatistics(std::uint32_t ssrc, std::uint32_t clock_rate) noexcept;

  void on_packet(Timestamp arrival, std::uint16_t sequence_number, RtpTime timestamp) noexcept;
  void on_sender_report(Timestamp arrival, NtpTime ntp) noexcept;

  /// The block to report now; begins a new interval for the fraction lost (A.3).
  [[nodiscard]] ReportBlock report(Timestamp now) noexcept;

  /// Since the start, or the last restart by A.1; duplicates count.
  [[nodiscard]] std::uint64_t received() const noexcept { return received_; }
  [[nodiscard]] std::uint64_t expected() const noexcept;
  /// May be negative when there are duplicates.
  [[nodiscard]] std::int64_t lost() const noexcept;
  [[nodiscard]] Duration jitter() const noexcept;

 private:
  void begin(std::uint16_t sequence_number) noexcept;
  void update_jitter(Timestamp arrival, RtpTime timestamp) noexcept;
  std::uint8_t fraction_lost_since_last_report() noexcept;

  std::uint32_t ssrc_;
  std::uint32_t clock_rate_;
  bool started_ = false;
  std::uint16_t highest_sequence_ = 0;
  std::uint64_t cycles_ = 0;  // 65536 times the wraps; 64 bits, since a stream may last for weeks
  std::uint32_t base_sequence_ = 0;
  std::uint32_t bad_sequence_;  // the one that would confirm a restart
  std::uint64_t received_ = 0;
  std::uint64_t expected_prior_ = 0;
  std::uint64_t received_prior_ = 0;
  bool has_transit_ = false;
  std::uint32_t transit_ = 0;
  std::uint64_t jitter_ = 0;  // 16 times the jitter in units of the clock rate, as in A.8
  std::uint32_t last_sender_report_ = 0;
  Timestamp last_sender_report_arrival_{};
  bool has_sender_report_ = false;
};

}  // namespace runnel::rtp
