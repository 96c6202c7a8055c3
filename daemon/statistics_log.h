// One line for each stream now and then: what comes in, what goes out, what is lost on the way.
#pragma once

#include <string>
#include <unordered_map>

#include "core/base/time.h"
#include "core/relay/engine.h"
#include "core/relay/statistics.h"
#include "daemon/log.h"
#include "daemon/peer_log.h"
#include "daemon/signalling/server_statistics.h"

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
  /// A line about peers, if there are any or have been since the last time.
  void write(const transport::Transports::Counts& peers);
  /// A line about signalling, if anybody uses it or has used it since the last time.
  void write(const ServerStatistics& server, const session::Desk::Counts& desk);

 private:
  Log& log_;
  Timestamp last_time_;
  std::unordered_map<std::string, relay::RelayStatistics> last_;  // by stream
  ServerStatistics last_server_;
  std::uint64_t last_handshakes_ = 0;
  std::uint64_t last_stray_drops_ = 0;
};

}  // namespace runnel::daemon
