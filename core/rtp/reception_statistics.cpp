#include "core/rtp/reception_statistics.h"

#include <algorithm>
#include <limits>
#include <ratio>

#include "core/base/check.h"

namespace runnel::rtp {
namespace {

constexpr std::uint32_t kSequenceModulus = 1u << 16;
constexpr std::uint32_t kMaxDropout = 3000;
constexpr std::uint32_t kMaxMisorder = 100;
/// A value that no sequence number has.
constexpr std::uint32_t kNoBadSequence = kSequenceModulus + 1;
constexpr std::int64_t kMaxCumulativeLost = 0x7fffff;
constexpr std::int64_t kMinCumulativeLost = -0x800000;

/// The unit of the delay since the last SR.
using ReportDelay = std::chrono::duration<std::int64_t, std::ratio<1, 65536>>;

/// A point of time in units of the media clock, wrapping as RTP timestamps do.
std::uint32_t in_media_units(Timestamp time, std::uint32_t clock_rate) noexcept {
  constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;
  const std::int64_t nanoseconds = time.time_since_epoch().count();
  const std::int64_t seconds = nanoseconds / kNanosecondsPerSecond;
  const std::int64_t rest = nanoseconds % kNanosecondsPerSecond;
  return static_cast<std::uint32_t>(seconds * clock_rate +
                                    rest * clock_rate / kNanosecondsPerSecond);
}

}  // namespace

ReceptionStatistics::ReceptionStatistics(std::uint32_t ssrc, std::uint32_t clock_rate) noexcept
    : ssrc_(ssrc), clock_rate_(clock_rate), bad_sequence_(kNoBadSequence) {
  RUNNEL_CHECK(clock_rate > 0);
}

void ReceptionStatistics::begin(std::uint16_t sequence_number) noexcept {
  started_ = true;
  highest_sequence_ = sequence_number;
  cycles_ = 0;
  base_sequence_ = sequence_number;
  bad_sequence_ = kNoBadSequence;
  received_ = 0;
  expected_prior_ = 0;
  received_prior_ = 0;
  has_transit_ = false;
}

void ReceptionStatistics::on_packet(Timestamp arrival, std::uint16_t sequence_number,
                                    RtpTime timestamp) noexcept {
  if (!started_) begin(sequence_number);
  const auto ahead = static_cast<std::uint16_t>(sequence_number - highest_sequence_);
  if (ahead < kMaxDropout) {
    if (sequence_number < highest_sequence_) cycles_ += kSequenceModulus;
    highest_sequence_ = sequence_number;
  } else if (ahead <= kSequenceModulus - kMaxMisorder) {
    // A jump. Two packets in a row behind it mean that the source has restarted.
    if (sequence_number != bad_sequence_) {
      bad_sequence_ = static_cast<std::uint16_t>(sequence_number + 1);
      return;
    }
    begin(sequence_number);
  }
  ++received_;
  update_jitter(arrival, timestamp);
}

void ReceptionStatistics::update_jitter(Timestamp arrival, RtpTime timestamp) noexcept {
  const std::uint32_t transit = in_media_units(arrival, clock_rate_) - timestamp.value;
  if (has_transit_) {
    const std::uint32_t change = transit - transit_;
    const std::uint32_t difference = std::min(change, 0u - change);
    jitter_ = jitter_ + difference - ((jitter_ + 8) >> 4);
  }
  transit_ = transit;
  has_transit_ = true;
}

void ReceptionStatistics::on_sender_report(Timestamp arrival, NtpTime ntp) noexcept {
  last_sender_report_ = ntp.middle();
  last_sender_report_arrival_ = arrival;
  has_sender_report_ = true;
}

std::uint64_t ReceptionStatistics::expected() const noexcept {
  return started_ ? cycles_ + highest_sequence_ - base_sequence_ + 1 : 0;
}

std::int64_t ReceptionStatistics::lost() const noexcept {
  return static_cast<std::int64_t>(expected()) - static_cast<std::int64_t>(received_);
}

Duration ReceptionStatistics::jitter() const noexcept {
  constexpr std::uint64_t kNanosecondsPerSixteenth = 62'500'000;
  return Duration(static_cast<Duration::rep>(jitter_ * kNanosecondsPerSixteenth / clock_rate_));
}

std::uint8_t ReceptionStatistics::fraction_lost_since_last_report() noexcept {
  const auto expected_interval = static_cast<std::int64_t>(expected() - expected_prior_);
  const auto received_interval = static_cast<std::int64_t>(received_ - received_prior_);
  expected_prior_ = expected();
  received_prior_ = received_;
  const std::int64_t lost_interval = expected_interval - received_interval;
  if (lost_interval <= 0) return 0;
  return static_cast<std::uint8_t>((lost_interval << 8) / expected_interval);
}

ReportBlock ReceptionStatistics::report(Timestamp now) noexcept {
  ReportBlock block{
      .ssrc = ssrc_,
      .fraction_lost = fraction_lost_since_last_report(),
      .cumulative_lost =
          static_cast<std::int32_t>(std::clamp(lost(), kMinCumulativeLost, kMaxCumulativeLost)),
      .extended_highest_sequence_number = static_cast<std::uint32_t>(cycles_ + highest_sequence_),
      .jitter = static_cast<std::uint32_t>(jitter_ >> 4)};
  if (has_sender_report_) {
    const auto delay = std::chrono::duration_cast<ReportDelay>(now - last_sender_report_arrival_);
    block.last_sender_report = last_sender_report_;
    block.delay_since_last_report = static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(delay.count(), 0, std::numeric_limits<std::uint32_t>::max()));
  }
  return block;
}

}  // namespace runnel::rtp
