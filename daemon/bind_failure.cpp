#include "daemon/bind_failure.h"

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include <spdlog/fmt/fmt.h>

namespace runnel::daemon {

config::Problem explain_bind_failure(Transport transport, const SocketAddress& address,
                                     const config::Origin& origin, const SystemError& error) {
  const bool is_udp = transport == Transport::udp;
  const auto problem = [&](std::string_view text, std::string remedy) {
    return config::Problem{origin,
                           fmt::format("cannot listen on {} {}: {}", is_udp ? "UDP" : "TCP",
                                       address.to_string(), text),
                           std::move(remedy)};
  };
  switch (error.code) {
    case EADDRINUSE:
      return problem("the port is in use",
                     fmt::format("'ss -l{}np sport = :{}' shows by whom; end that program or "
                                 "choose another port",
                                 is_udp ? 'u' : 't', address.port));
    case EACCES:
      return problem("this is not permitted",
                     "choose a port from 1024 on, or give the service CAP_NET_BIND_SERVICE");
    case EADDRNOTAVAIL:
      return problem("this machine has no such address",
                     address.ip.is_v4() ? "write one that 'ip address' shows, or 0.0.0.0 for all"
                                        : "write one that 'ip address' shows, or [::] for all");
    case EAFNOSUPPORT:
      return problem("this machine has no IPv6", "write an IPv4 address, or enable IPv6");
    case EMFILE:
    case ENFILE:
      return problem("too many open files",
                     "raise LimitNOFILE= of the service or 'ulimit -n'; each port needs one");
    default:
      return problem(fmt::format("{} failed: {}", error.operation, std::strerror(error.code)),
                     "see the system's log");
  }
}

}  // namespace runnel::daemon
