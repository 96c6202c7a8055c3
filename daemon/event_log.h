// What happens to streams, as log lines that an operator understands at three in the morning.
#pragma once

#include <optional>

#include "config/config.h"
#include "core/relay/engine.h"
#include "core/relay/event.h"
#include "daemon/log.h"
#include "daemon/notice_budget.h"
#include "daemon/peer_log.h"

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

  /// Before the first event of a peer. `transports` must outlive it.
  void know_peers(transport::Transports& transports, PortIndex first_tcp_port) {
    peers_.emplace(transports, first_tcp_port, config_.limits);
  }
  /// Whom lines about peers are to name. It must outlive this.
  void know_desk(const session::Desk& desk) {
    if (peers_) peers_->desk = &desk;
  }
  void write(const transport::Event& event);

 private:
  Log& log_;
  const config::Config& config_;
  const relay::Engine& engine_;
  std::optional<PeerSurroundings> peers_;
  NoticeBudget* budget_of(const transport::Event& event) noexcept;

  // What anybody can bring about: peers that never connect, and such that move to and fro.
  NoticeBudget strangers_{10};
  NoticeBudget moves_{60};
};

}  // namespace runnel::daemon
