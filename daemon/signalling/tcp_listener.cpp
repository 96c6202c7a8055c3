#include "daemon/signalling/tcp_listener.h"

#include <cerrno>
#include <netinet/tcp.h>

#include "daemon/socket_address.h"

namespace runnel::daemon {
namespace {

/// What the kernel may hold that the network has not taken yet. Left alone it would be megabytes,
/// and a viewer that falls behind would see old pictures long before ours are dropped.
constexpr int kMostUnsentBytes = 128 * 1024;

bool set_option(int descriptor, int level, int name, int value = 1) noexcept {
  return ::setsockopt(descriptor, level, name, &value, sizeof value) == 0;
}

std::unexpected<SystemError> failure(std::string_view operation) noexcept {
  return std::unexpected(SystemError{errno, operation});
}

// Errors of one connection, which has gone before it was accepted (accept(2), "Error handling").
bool is_about_the_connection(int error) noexcept {
  switch (error) {
    case EINTR:
    case ECONNABORTED:
    case EPROTO:
    case EPERM:
    case ENOPROTOOPT:
    case ENETDOWN:
    case ENETUNREACH:
    case EHOSTDOWN:
    case EHOSTUNREACH:
    case ENONET:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::expected<TcpListener, SystemError> TcpListener::bind(const SocketAddress& address) {
  const bool is_v4 = address.ip.is_v4();
  FileDescriptor descriptor(
      ::socket(is_v4 ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!descriptor.valid()) return failure("socket");
  if (!set_option(descriptor.get(), SOL_SOCKET, SO_REUSEADDR)) {
    return failure("setsockopt(SO_REUSEADDR)");
  }
  if (!is_v4 && !set_option(descriptor.get(), IPPROTO_IPV6, IPV6_V6ONLY)) {
    return failure("setsockopt(IPV6_V6ONLY)");
  }
  KernelAddress kernel_address;
  socklen_t length = to_kernel(address, kernel_address);
  if (::bind(descriptor.get(), &kernel_address.generic, length) != 0) return failure("bind");
  if (::listen(descriptor.get(), SOMAXCONN) != 0) return failure("listen");
  if (::getsockname(descriptor.get(), &kernel_address.generic, &length) != 0) {
    return failure("getsockname");
  }
  return TcpListener(std::move(descriptor), from_kernel(kernel_address, length).value_or(address));
}

std::expected<AcceptedSocket, int> TcpListener::accept() noexcept {
  for (;;) {
    KernelAddress remote;
    socklen_t length = sizeof remote;
    FileDescriptor accepted(
        ::accept4(descriptor_.get(), &remote.generic, &length, SOCK_NONBLOCK | SOCK_CLOEXEC));
    if (!accepted.valid()) {
      if (is_about_the_connection(errno)) continue;
      return std::unexpected(errno);
    }
    set_option(accepted.get(), IPPROTO_TCP, TCP_NODELAY);
    set_option(accepted.get(), IPPROTO_TCP, TCP_NOTSENT_LOWAT, kMostUnsentBytes);
    return AcceptedSocket{std::move(accepted),
                          from_kernel(remote, length).value_or(SocketAddress{})};
  }
}

}  // namespace runnel::daemon
