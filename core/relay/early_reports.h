// Sender reports that came before the RTP they are about.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/base/address.h"
#include "core/base/time.h"

namespace runnel::relay {

/// A sender report under an SSRC of which no RTP has come yet: RTCP may be faster, and many senders
/// report at the very start and then not for seconds.
struct EarlySenderReport {
  std::uint32_t ssrc = 0;
  NtpTime ntp;
  RtpTime rtp;  // the source's, not on the line
  Timestamp arrival{};
  SocketAddress from;
};

/// The newest of each SSRC. Which medium an SSRC belongs to is not known yet where several share a
/// port, so each remembers those of all; the oldest is forgotten beyond `kRemembered`.
class EarlyReports {
 public:
  static constexpr std::size_t kRemembered = 16;

  void remember(const EarlySenderReport& report) noexcept {
    const auto known = find(report.ssrc);
    if (known != reports_.end()) {
      *known = report;
      return;
    }
    reports_[next_] = report;
    next_ = (next_ + 1) % kRemembered;
  }
  /// Forgets it as well. nullopt when none of this SSRC is remembered.
  [[nodiscard]] std::optional<EarlySenderReport> take(std::uint32_t ssrc) noexcept {
    const auto known = find(ssrc);
    if (known == reports_.end()) return std::nullopt;
    const std::optional<EarlySenderReport> report = *known;
    known->reset();
    return report;
  }

 private:
  using Reports = std::array<std::optional<EarlySenderReport>, kRemembered>;

  [[nodiscard]] Reports::iterator find(std::uint32_t ssrc) noexcept {
    return std::ranges::find_if(
        reports_, [ssrc](const auto& report) { return report && report->ssrc == ssrc; });
  }

  Reports reports_{};
  std::size_t next_ = 0;
};

}  // namespace runnel::relay
