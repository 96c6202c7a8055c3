#include "daemon/signalling/signalling.h"

#include <utility>

namespace runnel::daemon {
namespace {

ServerSettings with_tls(ServerSettings settings, std::optional<tls::ServerContext> tls) {
  settings.tls = std::move(tls);
  return settings;
}

std::uint64_t draw(RandomSource& random) {
  return (std::uint64_t{random.u32()} << 32) | random.u32();
}

}  // namespace

Signalling::Signalling(EventLoop& loop, config::Config& config, SignallingParts parts,
                       relay::Engine& engine, RandomSource& random, Log& log)
    : authenticator_(std::move(config.auth.settings)),
      desk_(std::move(parts.desk), authenticator_, engine, random),
      server_(loop, desk_, RequestHandler(desk_, std::move(parts.origins), config.auth.query),
              with_tls(server_settings(config), std::move(parts.tls)), std::move(parts.listeners),
              log, draw(random)) {}

}  // namespace runnel::daemon
