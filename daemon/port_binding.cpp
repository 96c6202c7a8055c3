#include "daemon/port_binding.h"

#include <algorithm>
#include <sys/socket.h>

#include <spdlog/fmt/fmt.h>

#include "daemon/bind_failure.h"

namespace runnel::daemon {
namespace {

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
      problems.push_back(
          explain_bind_failure(Transport::udp, port.address, port.origin, socket.error()));
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
