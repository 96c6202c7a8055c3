// How a source's media time relates to its wall clock, from its last sender report (RFC 3550
// §6.4.1).
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/time.h"
#include "core/relay/media_clock.h"

namespace runnel::relay {

/// One point of the line NTP time / RTP time, and when it was learned; every later point follows
/// from the clock rate.
struct SenderReportClock {
  NtpTime ntp;
  RtpTime rtp;
  Timestamp learned{};

  [[nodiscard]] NtpTime ntp_at(Timestamp now) const noexcept {
    return ntp_after(ntp, now - learned);
  }
  [[nodiscard]] RtpTime rtp_at(Timestamp now, std::uint32_t clock_rate) const noexcept {
    return {rtp.value + ticks(now - learned, clock_rate)};
  }
};

}  // namespace runnel::relay
