#include "daemon/signalling/signalling.h"

#include <utility>

#include "daemon/signalling/whip_setup.h"

namespace runnel::daemon {
namespace {

ServerSettings settings_of(const config::Config& config, SignallingParts& parts) {
  ServerSettings settings = server_settings(config);
  settings.tls = std::move(parts.tls);
  settings.ice_tcp = parts.ice_tcp;
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
      server_(
          loop, desk_,
          RequestHandler(desk_, std::move(parts.origins), config.auth.query, whip_settings(config)),
          settings_of(config, parts), std::move(parts.listeners), log, draw(random)) {}

void Signalling::set_addresses(const std::vector<IpAddress>& addresses) {
  std::vector<std::string> texts;
  for (const IpAddress& address : addresses) texts.push_back(address.to_string());
  desk_.set_addresses(std::move(texts));
}

}  // namespace runnel::daemon
