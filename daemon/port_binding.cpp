#include "daemon/port_binding.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/socket.h>

#include <spdlog/fmt/fmt.h>

namespace runnel::daemon {
namespace {

config::Problem explain(const PlannedPort& port, const SystemError& error) {
  const std::string address = port.address.to_string();
  const auto problem = [&](std::string_view text, std::string remedy) {
    return config::Problem{port.origin, fmt::format("cannot listen on UDP {}: {}", address, text),
                           std::move(remedy)};
  };
  switch (error.code) {
    case EADDRINUSE:
      return problem("the port is in use",
                     fmt::format("'ss -lunp sport = :{}' shows by whom; end that program or choose "
                                 "another port",
                                 port.address.port));
    case EACCES:
      return problem("this is not permitted",
                     "choose a port from 1024 on, or give the service CAP_NET_BIND_SERVICE");
    case EADDRNOTAVAIL:
      return problem("this machine has no such address",
                     port.address.ip.is_v4()
                         ? "write one that 'ip address' shows, or 0.0.0.0 for all"
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

// Remembers the smallest grant of one kind of buffer.
class BufferCheck {
 public:
  BufferCheck(std::string_view kind, std::string_view key, std::string_view sysctl)
      : kind_(kind), key_(key), sysctl_(sysctl) {}

  void add(const BufferGrant& grant) {
    if (grant.granted < grant.asked) smallest_ = std::min(smallest_, grant.granted);
    asked_ = grant.asked;
  }
  void report(std::vector<std::string>& warnings) const {
    if (smallest_ >= asked_) return;
    warnings.push_back(fmt::format(
        "the kernel grants {} buffers of {} KiB instead of {} KiB (limits.{}); bursts may be lost; "
        "'sysctl -w {}={}' allows them",
        kind_, smallest_ / 1024, asked_ / 1024, key_, sysctl_, asked_));
  }

 private:
  std::string_view kind_;
  std::string_view key_;
  std::string_view sysctl_;
  std::size_t smallest_ = SIZE_MAX;
  std::size_t asked_ = 0;
};

}  // namespace

std::expected<BoundPorts, std::vector<config::Problem>> bind_ports(const PortPlan& plan,
                                                                   const config::Limits& limits) {
  BoundPorts bound;
  std::vector<config::Problem> problems;
  BufferCheck receive("receive", "receive_buffer", "net.core.rmem_max");
  BufferCheck send("send", "send_buffer", "net.core.wmem_max");
  for (const PlannedPort& port : plan.ports()) {
    auto socket = UdpSocket::bind(port.address);
    if (!socket) {
      problems.push_back(explain(port, socket.error()));
      continue;
    }
    receive.add(socket->set_receive_buffer(limits.receive_buffer));
    send.add(socket->set_send_buffer(limits.send_buffer));
    bound.sockets.push_back(std::move(*socket));
  }
  if (!problems.empty()) return std::unexpected(std::move(problems));
  receive.report(bound.warnings);
  send.report(bound.warnings);
  return bound;
}

bool has_ipv6() noexcept {
  return FileDescriptor(::socket(AF_INET6, SOCK_DGRAM | SOCK_CLOEXEC, 0)).valid();
}

}  // namespace runnel::daemon
