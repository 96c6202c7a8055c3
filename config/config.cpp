#include "config/config.h"

namespace runnel::config {

std::string Origin::to_string() const {
  std::string text = file;
  if (line > 0) text += ":" + std::to_string(line);
  if (!key.empty()) text += ": " + key;
  if (line == 0 && !key.empty()) text += " (default)";
  return text;
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

namespace {

std::uint16_t next_port(std::uint16_t port) noexcept {
  return static_cast<std::uint16_t>(port + 1);
}

}  // namespace

std::optional<SocketAddress> SourceMedium::rtcp_listen() const noexcept {
  if (rtcp_mux) return std::nullopt;
  return SocketAddress{listen.address.ip, next_port(listen.address.port)};
}

std::optional<SocketAddress> ReceiverMedium::rtcp_listen() const noexcept {
  if (rtcp_mux || !listen) return std::nullopt;
  return SocketAddress{listen->address.ip, next_port(listen->address.port)};
}

std::optional<Endpoint> ReceiverMedium::rtcp_destination() const {
  if (send_rtcp || !send) return send_rtcp;
  Endpoint destination = *send;
  if (!rtcp_mux) destination.port = next_port(destination.port);
  return destination;
}

}  // namespace runnel::config
