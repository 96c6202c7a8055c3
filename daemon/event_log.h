// What happens to streams, as log lines that an operator understands at three in the morning.
#pragma once

#include "config/config.h"
#include "core/relay/engine.h"
#include "core/relay/event.h"
#include "daemon/log.h"

namespace runnel::daemon {

/// The sentence for an event. `config` is what the engine was set up from: its relays, receivers
/// and media have the same numbers in both. What signalling has added the engine names.
[[nodiscard]] LogLine describe(const relay::Event& event, const config::Config& config,
                               const relay::Engine& engine);

/// Writes events to a log. All arguments must outlive it.
class EventLog {
 public:
  EventLog(Log& log, const config::Config& config, const relay::Engine& engine)
      : log_(log), config_(config), engine_(engine) {}

  void write(const relay::Event& event) { log_.write(describe(event, config_, engine_)); }

 private:
  Log& log_;
  const config::Config& config_;
  const relay::Engine& engine_;
};

}  // namespace runnel::daemon
