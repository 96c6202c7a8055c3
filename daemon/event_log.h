// What happens to streams, as log lines that an operator understands at three in the morning.
#pragma once

#include "config/config.h"
#include "core/relay/event.h"
#include "daemon/log.h"

namespace runnel::daemon {

/// The sentence for an event. `config` is what the engine was set up from: relays, receivers and
/// media have the same numbers in both.
[[nodiscard]] LogLine describe(const relay::Event& event, const config::Config& config);

/// Writes events to a log. Both arguments must outlive it.
class EventLog {
 public:
  EventLog(Log& log, const config::Config& config) : log_(log), config_(config) {}

  void write(const relay::Event& event) { log_.write(describe(event, config_)); }

 private:
  Log& log_;
  const config::Config& config_;
};

}  // namespace runnel::daemon
