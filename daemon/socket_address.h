// Transport addresses between our form and the kernel's.
#pragma once

#include <netinet/in.h>
#include <optional>
#include <sys/socket.h>

#include "core/base/address.h"

namespace runnel::daemon {

/// What bind, sendmsg and recvmsg take: room for either family and no more, so that arrays of it
/// stay small.
union KernelAddress {
  sockaddr generic;
  sockaddr_in v4;
  sockaddr_in6 v6;
};

/// Fills `out` and answers its length for the kernel.
socklen_t to_kernel(const SocketAddress& address, KernelAddress& out) noexcept;
/// nullopt when `length` does not hold an IPv4 or IPv6 address.
[[nodiscard]] std::optional<SocketAddress> from_kernel(const KernelAddress& address,
                                                       socklen_t length) noexcept;

}  // namespace runnel::daemon
