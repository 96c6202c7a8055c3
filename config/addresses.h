// Addresses as an operator writes them, and what to say when they are almost right.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "config/config.h"
#include "core/base/address.h"

namespace runnel::config {

/// Why an address was refused.
struct Complaint {
  std::string text;
  std::string remedy;
};

/// A local address and port: literal, port 1 to 65535; "0.0.0.0" and "[::]" mean every address.
[[nodiscard]] std::expected<SocketAddress, Complaint> parse_listen(std::string_view text);

/// A remote host and port: a literal address (not the unspecified one) or a DNS name. The origin is
/// left empty.
[[nodiscard]] std::expected<Endpoint, Complaint> parse_endpoint(std::string_view text);

/// A literal address or a DNS name without a port.
[[nodiscard]] std::expected<std::string, Complaint> parse_host(std::string_view text);

/// An address of this machine for others to come to: a literal address or a DNS name without a
/// port, "auto" included. What documentation prints in its place is refused.
[[nodiscard]] std::expected<std::string, Complaint> parse_announced(std::string_view text);

/// The URL of a STUN or TURN server as browsers take it (RFC 7064, RFC 7065): "stun:HOST:PORT",
/// "turn:HOST:PORT?transport=udp", with "stuns:" and "turns:" for TLS; the port may be left out.
[[nodiscard]] std::expected<std::string, Complaint> parse_ice_server_url(std::string_view text);

/// A network in CIDR notation, or one address.
[[nodiscard]] std::expected<IpNetwork, Complaint> parse_network(std::string_view text);

/// A browser's origin (RFC 6454 §6.2) as it sends it: scheme, host and, unless it is the scheme's
/// own, port, in small letters; or "*" for all, or "null" for sandboxed pages and files.
[[nodiscard]] std::expected<std::string, Complaint> parse_origin(std::string_view text);

/// Of the blocks that RFC 5737 and RFC 3849 set aside for documentation: nothing answers there.
[[nodiscard]] bool is_documentation(const IpAddress& address) noexcept;

}  // namespace runnel::config
