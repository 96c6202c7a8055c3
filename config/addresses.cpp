#include "config/addresses.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "config/quantities.h"
#include "config/wording.h"

namespace runnel::config {
namespace {

constexpr std::size_t kLongestName = 253;  // RFC 1035 §2.3.4
constexpr std::size_t kLongestLabel = 63;

template <typename T>
using Parsed = std::expected<T, Complaint>;

std::unexpected<Complaint> complain(std::string text, std::string remedy) {
  return std::unexpected(Complaint{std::move(text), std::move(remedy)});
}

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

bool is_label(std::string_view label) noexcept {
  const auto is_valid = [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
  };
  return !label.empty() && label.size() <= kLongestLabel && label.front() != '-' &&
         label.back() != '-' && std::all_of(label.begin(), label.end(), is_valid);
}

/// Letters, digits and hyphens; "198.51.100.x" and "300.1.2.3" are mistyped addresses rather than
/// names.
bool is_dns_name(std::string_view name) noexcept {
  if (name.ends_with('.')) name.remove_suffix(1);
  if (name.empty() || name.size() > kLongestName) return false;
  std::size_t labels = 0;
  std::size_t numeric = 0;
  bool last_is_numeric = false;
  while (true) {
    const std::size_t dot = name.find('.');
    const std::string_view label = name.substr(0, dot);
    if (!is_label(label)) return false;
    last_is_numeric = std::all_of(label.begin(), label.end(), is_digit);
    numeric += last_is_numeric ? 1 : 0;
    ++labels;
    if (dot == std::string_view::npos) break;
    name.remove_prefix(dot + 1);
  }
  const bool looks_like_ipv4 = labels == 4 && numeric >= 3;
  return !last_is_numeric && !looks_like_ipv4;
}

/// What manuals print where an address of the reader's own machine belongs: the names of RFC 2606,
/// "1.2.3.4", "x.x.x.x", "PUBLIC_IP".
bool stands_for_an_address(std::string_view text) {
  constexpr std::array<std::string_view, 7> kMarks{
      "public_ip", "public-ip", "server_ip", "server-ip", "host_ip", "host-ip", "yourdomain"};
  constexpr std::array<std::string_view, 7> kNames{
      "1.2.3.4", "x.x.x.x", "a.b.c.d", "example.com", "example.net", "example.org", "example"};
  if (is_placeholder(text)) return true;
  std::string small;
  for (const char c : text) {
    small.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
  const bool has_mark = std::ranges::any_of(
      kMarks, [&](std::string_view mark) { return small.find(mark) != std::string::npos; });
  const bool is_name = std::ranges::any_of(kNames, [&](std::string_view name) {
    return small == name || small.ends_with("." + std::string(name));
  });
  return has_mark || is_name;
}

struct HostAndPort {
  std::string host;  // without brackets
  std::uint16_t port = 0;
};

/// `example` completes the advice.
Parsed<HostAndPort> split(std::string_view text, const std::string& example) {
  if (is_placeholder(text)) {
    return complain(quote(text) + " is a placeholder",
                    "write your own address here, such as \"" + example + "\"");
  }
  if (text.find("://") != std::string_view::npos) {
    return complain(quote(text) + " is a URL", "write HOST:PORT, such as \"" + example + "\"");
  }
  if (IpAddress::parse(text) && text.find(':') != std::string_view::npos) {
    return complain(quote(text) + " is an IPv6 address without a port, or without brackets",
                    "write [ADDRESS]:PORT, such as \"[2001:db8::9]:6000\"");
  }
  const std::size_t colon = text.rfind(':');
  const bool ends_in_bracket = text.ends_with(']');
  if (colon == std::string_view::npos || ends_in_bracket) {
    const auto bare = parse_integer(text);
    return complain(
        bare ? quote(text) + " is a port without an address" : quote(text) + " has no port",
        "write ADDRESS:PORT, such as \"" + example + "\"");
  }
  std::string_view host = text.substr(0, colon);
  const bool bracketed = host.size() >= 2 && host.front() == '[' && host.back() == ']';
  if (bracketed) host = host.substr(1, host.size() - 2);
  if (!bracketed && host.find(':') != std::string_view::npos) {
    return complain(quote(text) + " is an IPv6 address without brackets",
                    "write [ADDRESS]:PORT, such as \"[2001:db8::9]:6000\"");
  }
  if (bracketed && host.find(':') == std::string_view::npos) {
    return complain(quote(text) + " has brackets around what is no IPv6 address",
                    "write ADDRESS:PORT, such as \"" + example + "\"");
  }
  const std::string_view digits = text.substr(colon + 1);
  const auto port =
      std::all_of(digits.begin(), digits.end(), is_digit) ? parse_integer(digits) : std::nullopt;
  if (!port || *port == 0 || *port > 65535) {
    return complain(quote(text) + " has no valid port", "use a port from 1 to 65535");
  }
  return HostAndPort{std::string(host), static_cast<std::uint16_t>(*port)};
}

/// The network of `length` bits that holds `ip`.
std::string masked(const IpAddress& ip, std::uint64_t length) {
  std::array<std::uint8_t, 16> bytes = ip.bytes();
  for (std::uint64_t bit = length; bit < 128; ++bit) {
    bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] & ~(0x80u >> (bit % 8)));
  }
  const IpAddress first =
      ip.is_v4() ? IpAddress::v4({bytes[0], bytes[1], bytes[2], bytes[3]}) : IpAddress::v6(bytes);
  return IpNetwork{first, static_cast<std::uint8_t>(length)}.to_string();
}

}  // namespace

Parsed<SocketAddress> parse_listen(std::string_view text) {
  const auto parts = split(text, "0.0.0.0:5004");
  if (!parts) return std::unexpected(parts.error());
  if (const auto ip = IpAddress::parse(parts->host)) return SocketAddress{*ip, parts->port};
  const std::string port = std::to_string(parts->port);
  if (parts->host == "localhost") {
    return complain("'localhost' is a name, and may stand for two addresses",
                    "write \"127.0.0.1:" + port + "\" or \"[::1]:" + port + "\"");
  }
  if (parts->host == "*" || parts->host.empty()) {
    return complain(quote(text) + " does not say which addresses",
                    "for every IPv4 address write \"0.0.0.0:" + port +
                        "\", for every IPv6 address \"[::]:" + port + "\"");
  }
  return complain(quote(parts->host) + " is no IP address",
                  "write an address of this machine, or \"0.0.0.0:" + port + "\" for all of them");
}

Parsed<Endpoint> parse_endpoint(std::string_view text) {
  const auto parts = split(text, "192.0.2.9:6000");
  if (!parts) return std::unexpected(parts.error());
  const auto host = parse_host(parts->host);
  if (!host) return std::unexpected(host.error());
  if (const auto ip = IpAddress::parse(*host); ip && ip->is_unspecified()) {
    return complain(quote(text) + " is no destination: it stands for every address of this machine",
                    "write the receiver's address");
  }
  Endpoint endpoint;
  endpoint.host = *host;
  endpoint.port = parts->port;
  return endpoint;
}

Parsed<std::string> parse_host(std::string_view text) {
  if (is_placeholder(text)) {
    return complain(quote(text) + " is a placeholder", "write your own address or name here");
  }
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  if (IpAddress::parse(text) || is_dns_name(text)) return std::string(text);
  if (SocketAddress::parse(text)) {
    return complain(quote(text) + " has a port", "write the address alone");
  }
  return complain(quote(text) + " is neither an IP address nor a host name",
                  "write an address such as \"192.0.2.9\" or \"2001:db8::9\", or a DNS name");
}

Parsed<std::string> parse_announced(std::string_view text) {
  if (stands_for_an_address(text)) {
    return complain(quote(text) + " is a placeholder",
                    "write the address or name by which clients reach this machine, or auto for "
                    "those of its interfaces");
  }
  auto host = parse_host(text);
  if (!host) return host;
  const auto ip = IpAddress::parse(*host);
  if (ip && ip->is_unspecified()) {
    return complain(quote(text) + " cannot be reached from elsewhere",
                    "write auto for the addresses of this machine's interfaces");
  }
  return host;
}

Parsed<std::string> parse_ice_server_url(std::string_view text) {
  constexpr std::array<std::string_view, 4> kSchemes{"stun", "stuns", "turn", "turns"};
  constexpr const char* kForm = "write \"stun:HOST:PORT\" or \"turn:HOST:PORT?transport=udp\"";
  const std::size_t colon = text.find(':');
  const std::string_view scheme = text.substr(0, colon);
  if (colon == std::string_view::npos || std::ranges::find(kSchemes, scheme) == kSchemes.end()) {
    return complain(quote(text) + " is no URL of a STUN or TURN server", kForm);
  }
  std::string_view rest = text.substr(colon + 1);
  if (rest.starts_with("//")) {
    return complain(quote(text) + " has slashes behind its scheme, which browsers refuse",
                    "write " + quote(std::string(scheme) + ":" + std::string(rest.substr(2))));
  }
  if (const std::size_t mark = rest.find('?'); mark != std::string_view::npos) {
    const std::string_view query = rest.substr(mark);
    const bool is_known = query == "?transport=udp" || query == "?transport=tcp";
    if (!scheme.starts_with("turn") || !is_known) {
      return complain(quote(text) + " has something behind '?' that browsers refuse",
                      "write ?transport=udp or ?transport=tcp behind a TURN server, or nothing");
    }
    rest = rest.substr(0, mark);
  }
  const bool has_port = rest.rfind(':') != std::string_view::npos && !rest.ends_with(']');
  if (has_port) {
    if (const auto parts = split(rest, "turn.example.net:3478"); !parts) {
      return std::unexpected(parts.error());
    } else if (const auto host = parse_host(parts->host); !host) {
      return std::unexpected(host.error());
    }
  } else if (const auto host = parse_host(rest); !host) {
    return std::unexpected(host.error());
  }
  return std::string(text);
}

Parsed<IpNetwork> parse_network(std::string_view text) {
  if (const auto network = IpNetwork::parse(text)) return *network;
  const std::size_t slash = text.find('/');
  const auto ip = IpAddress::parse(text.substr(0, slash));
  const auto length =
      slash == std::string_view::npos ? std::nullopt : parse_integer(text.substr(slash + 1));
  const std::uint64_t width = ip && !ip->is_v4() ? 128 : 32;
  if (ip && length && *length <= width) {
    return complain(quote(text) + " has bits set behind the prefix",
                    "write \"" + masked(*ip, *length) + "\" for the network, or \"" +
                        ip->to_string() + "\" for this one host");
  }
  if (ip) {
    return complain(quote(text) + " has no valid prefix length",
                    "use /0 to /" + std::to_string(width));
  }
  return complain(quote(text) + " is no network",
                  "write an address or a CIDR block, such as \"192.0.2.0/24\"");
}

Parsed<std::string> parse_origin(std::string_view text) {
  constexpr std::string_view kSchemeEnd = "://";
  if (text == "*" || text == "null") return std::string(text);
  std::string origin;
  for (const char c : text) {
    origin.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
  const std::size_t scheme = origin.find(kSchemeEnd);
  if (scheme == 0 || scheme == std::string::npos) {
    return complain(quote(text) + " does not begin with a scheme",
                    "write \"https://HOST\" as the browser's address bar has it");
  }
  const std::size_t begin = scheme + kSchemeEnd.size();
  const std::size_t path = origin.find_first_of("/?#", begin);
  if (path != std::string::npos) {
    return complain(quote(text) + " is more than an origin",
                    "write " + quote(origin.substr(0, path)) + " without what follows");
  }
  const std::string_view authority = std::string_view(origin).substr(begin);
  const bool has_port = authority.rfind(':') != std::string_view::npos && !authority.ends_with(']');
  if (has_port) {
    const auto parts = split(authority, "media.example.net:8080");
    if (!parts) return std::unexpected(parts.error());
    if (const auto host = parse_host(parts->host); !host) return std::unexpected(host.error());
  } else if (const auto host = parse_host(authority); !host) {
    return std::unexpected(host.error());
  }
  return origin;
}

bool is_documentation(const IpAddress& address) noexcept {
  static const std::array kBlocks{IpNetwork{IpAddress::v4({192, 0, 2, 0}), 24},
                                  IpNetwork{IpAddress::v4({198, 51, 100, 0}), 24},
                                  IpNetwork{IpAddress::v4({203, 0, 113, 0}), 24},
                                  IpNetwork{IpAddress::v6({0x20, 0x01, 0x0d, 0xb8}), 32}};
  return std::any_of(kBlocks.begin(), kBlocks.end(),
                     [&](const IpNetwork& block) { return block.contains(address); });
}

}  // namespace runnel::config
