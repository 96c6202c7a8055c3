// One line for each stream now and then: what comes in, what goes out, what is lost on the way.
#pragma once

#include <vector>

#include "core/base/time.h"
#include "core/relay/engine.h"
#include "core/relay/statistics.h"
#include "daemon/log.h"

namespace runnel::daemon {

/// Rates and the share of lost packets are of the time between `before` and `now`; packets and
/// drops are totals. `elapsed` is positive.
[[nodiscard]] LogLine describe(const relay::RelayStatistics& now,
                               const relay::RelayStatistics& before, Duration elapsed);

/// Remembers the figures of the last time. `log` must outlive it.
class StatisticsLog {
 public:
  StatisticsLog(Log& log, Timestamp start) : log_(log), last_time_(start) {}

  /// A line for each relay of the engine, and one about packets of no stream when there are more
  /// than last time.
  void write(Timestamp now, const relay::Engine& engine);

 private:
  Log& log_;
  Timestamp last_time_;
  std::vector<relay::RelayStatistics> last_;
  std::uint64_t last_stray_drops_ = 0;
};

}  // namespace runnel::daemon
