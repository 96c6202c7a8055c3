// Signalling as a whole: who may do what, the desk, and the server in front of it.
#pragma once

#include <optional>
#include <vector>

#include "config/config.h"
#include "core/auth/authenticator.h"
#include "core/base/random.h"
#include "core/dtls/context.h"
#include "core/relay/engine.h"
#include "core/session/desk.h"
#include "daemon/event_loop.h"
#include "daemon/log.h"
#include "daemon/signalling/desk_setup.h"
#include "daemon/signalling/server.h"

namespace runnel::daemon {

/// What had to be asked of the machine first.
struct SignallingParts {
  std::vector<TcpListener> listeners;
  OriginPolicy origins;
  std::optional<tls::ServerContext> tls;
  std::optional<dtls::Context> dtls;  // absent: no WebRTC
  session::DeskSettings desk;
  std::optional<IceTcpSettings> ice_tcp = std::nullopt;
};

class Signalling {
 public:
  /// Takes `config.auth.settings`. `engine` has its relays; all references must outlive it.
  Signalling(EventLoop& loop, config::Config& config, SignallingParts parts, relay::Engine& engine,
             RandomSource& random, Log& log);

  /// See Desk::set_addresses.
  void set_addresses(const std::vector<IpAddress>& addresses);

  [[nodiscard]] Server& server() noexcept { return server_; }
  [[nodiscard]] const session::Desk& desk() const noexcept { return desk_; }

 private:
  auth::Authenticator authenticator_;
  session::Desk desk_;
  Server server_;
};

}  // namespace runnel::daemon
