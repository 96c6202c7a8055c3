#include "daemon/udp_socket.h"

#include <cerrno>
#include <climits>
#include <cstring>

// After the C library's socket headers, which define what it would define otherwise.
#include <linux/errqueue.h>
#include <linux/sock_diag.h>

#include "daemon/socket_address.h"

namespace runnel::daemon {
namespace {

bool set_option(int descriptor, int level, int name, int value) noexcept {
  return ::setsockopt(descriptor, level, name, &value, sizeof value) == 0;
}

BufferGrant set_buffer(int descriptor, int name, int privileged_name, std::size_t bytes) noexcept {
  const int value = bytes > INT_MAX / 2 ? INT_MAX / 2 : static_cast<int>(bytes);
  if (!set_option(descriptor, SOL_SOCKET, privileged_name, value)) {
    set_option(descriptor, SOL_SOCKET, name, value);
  }
  int doubled = 0;
  socklen_t length = sizeof doubled;
  ::getsockopt(descriptor, SOL_SOCKET, name, &doubled, &length);
  return {bytes, static_cast<std::size_t>(doubled) / 2};
}

// Without these options the socket still works: errors are then reported without a destination, or
// not at all.
void ask_for_icmp_errors(int descriptor, bool is_v4) noexcept {
  if (is_v4) {
    set_option(descriptor, IPPROTO_IP, IP_RECVERR, 1);
  } else {
    set_option(descriptor, IPPROTO_IPV6, IPV6_RECVERR, 1);
  }
  // Makes poll say EPOLLPRI beside EPOLLERR when the error queue has something. libuv takes an
  // EPOLLERR alone for a dead descriptor and stops to watch it.
  set_option(descriptor, SOL_SOCKET, SO_SELECT_ERR_QUEUE, 1);
}

std::unexpected<SystemError> failure(std::string_view operation) noexcept {
  return std::unexpected(SystemError{errno, operation});
}

bool is_from_network(const sock_extended_err& error) noexcept {
  return error.ee_origin == SO_EE_ORIGIN_ICMP || error.ee_origin == SO_EE_ORIGIN_ICMP6;
}

}  // namespace

std::expected<UdpSocket, SystemError> UdpSocket::bind(const SocketAddress& address) {
  const bool is_v4 = address.ip.is_v4();
  FileDescriptor descriptor(
      ::socket(is_v4 ? AF_INET : AF_INET6, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!descriptor.valid()) return failure("socket");
  // The IPv4 wildcard of the same port is a socket of its own.
  if (!is_v4 && !set_option(descriptor.get(), IPPROTO_IPV6, IPV6_V6ONLY, 1)) {
    return failure("setsockopt(IPV6_V6ONLY)");
  }
  ask_for_icmp_errors(descriptor.get(), is_v4);
  KernelAddress kernel_address;
  socklen_t length = to_kernel(address, kernel_address);
  if (::bind(descriptor.get(), &kernel_address.generic, length) != 0) return failure("bind");
  if (::getsockname(descriptor.get(), &kernel_address.generic, &length) != 0) {
    return failure("getsockname");
  }
  return UdpSocket(std::move(descriptor), from_kernel(kernel_address, length).value_or(address));
}

BufferGrant UdpSocket::set_receive_buffer(std::size_t bytes) noexcept {
  return set_buffer(descriptor(), SO_RCVBUF, SO_RCVBUFFORCE, bytes);
}

BufferGrant UdpSocket::set_send_buffer(std::size_t bytes) noexcept {
  return set_buffer(descriptor(), SO_SNDBUF, SO_SNDBUFFORCE, bytes);
}

std::uint32_t UdpSocket::receive_overflows() const noexcept {
  // Asked for now and then, instead of SO_RXQ_OVFL, which costs a control message on each packet.
  std::array<std::uint32_t, SK_MEMINFO_VARS> memory{};
  socklen_t length = sizeof memory;
  if (::getsockopt(descriptor(), SOL_SOCKET, SO_MEMINFO, memory.data(), &length) != 0) return 0;
  return memory[SK_MEMINFO_DROPS];
}

std::optional<IcmpError> UdpSocket::next_icmp_error() noexcept {
  KernelAddress destination;
  alignas(cmsghdr) std::array<std::uint8_t, 512> control;
  for (;;) {
    msghdr message{};
    message.msg_name = &destination;
    message.msg_namelen = sizeof destination;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    if (::recvmsg(descriptor(), &message, MSG_ERRQUEUE | MSG_DONTWAIT) < 0) return std::nullopt;
    const auto address = from_kernel(destination, message.msg_namelen);
    if (!address) continue;
    for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr;
         header = CMSG_NXTHDR(&message, header)) {
      const bool is_error =
          (header->cmsg_level == IPPROTO_IP && header->cmsg_type == IP_RECVERR) ||
          (header->cmsg_level == IPPROTO_IPV6 && header->cmsg_type == IPV6_RECVERR);
      if (!is_error || header->cmsg_len < CMSG_LEN(sizeof(sock_extended_err))) continue;
      sock_extended_err error;
      std::memcpy(&error, CMSG_DATA(header), sizeof error);
      if (is_from_network(error)) return IcmpError{*address, error.ee_errno != EMSGSIZE};
    }
  }
}

}  // namespace runnel::daemon
