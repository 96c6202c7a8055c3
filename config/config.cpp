#include "config/config.h"

namespace runnel::config {

std::string Origin::to_string() const {
  return file + ":" + std::to_string(line) + ": " + key;
}

std::optional<SocketAddress> Endpoint::literal() const noexcept {
  const auto ip = IpAddress::parse(host);
  if (!ip) return std::nullopt;
  return SocketAddress{*ip, port};
}

std::string Endpoint::to_string() const {
  if (const auto address = literal()) return address->to_string();
  return host + ":" + std::to_string(port);
}

}  // namespace runnel::config
