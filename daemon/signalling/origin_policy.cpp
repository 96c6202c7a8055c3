#include "daemon/signalling/origin_policy.h"

#include <string_view>

#include "core/base/address.h"
#include "core/http/header_list.h"

namespace runnel::daemon {
namespace {

// "[::1]:7080" -> "[::1]", "relay.example:443" -> "relay.example"
std::string_view without_port(std::string_view authority) {
  const std::size_t colon = authority.rfind(':');
  if (colon == std::string_view::npos) return authority;
  const std::size_t bracket = authority.rfind(']');
  if (bracket != std::string_view::npos && colon < bracket) return authority;
  return authority.substr(0, colon);
}

bool is_this_machine(std::string_view authority) {
  std::string_view host = without_port(authority);
  if (http::equal_ignoring_case(host, "localhost")) return true;
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
  }
  const auto address = IpAddress::parse(host);
  return address && address->is_loopback();
}

std::string_view without_default_port(std::string_view authority, std::string_view scheme) {
  const std::string_view port = http::equal_ignoring_case(scheme, "https") ? ":443" : ":80";
  return authority.ends_with(port) ? authority.substr(0, authority.size() - port.size())
                                   : authority;
}

// A proxy may speak TLS for us, so that the scheme says nothing.
bool is_own(std::string_view origin, std::string_view host) {
  const std::size_t separator = origin.find("://");
  if (separator == std::string_view::npos || host.empty()) return false;
  const std::string_view scheme = origin.substr(0, separator);
  return http::equal_ignoring_case(without_default_port(origin.substr(separator + 3), scheme),
                                   without_default_port(host, scheme));
}

}  // namespace

std::expected<OriginPolicy, std::string> OriginPolicy::create(
    const std::vector<std::string>& origins, bool local_only) {
  auto listed = http::OriginList::parse(origins);
  if (!listed) return std::unexpected(std::move(listed.error()));
  return OriginPolicy(std::move(*listed), local_only);
}

OriginPolicy::Verdict OriginPolicy::judge(const http::Request& request) const {
  if (local_only_ && !request.host.empty() && !is_this_machine(request.host)) {
    return Verdict::foreign_host;
  }
  const std::size_t count = request.headers.count("Origin");
  if (count == 0) return Verdict::none;
  if (count > 1) return Verdict::refused;
  const std::string_view origin = request.headers.find("Origin").value();
  if (is_own(origin, request.host)) return Verdict::own;
  return listed_.allows(origin) ? Verdict::listed : Verdict::refused;
}

}  // namespace runnel::daemon
