#include "daemon/socket_address.h"

#include <cstring>

namespace runnel::daemon {

socklen_t to_kernel(const SocketAddress& address, KernelAddress& out) noexcept {
  const auto& bytes = address.ip.bytes();
  if (address.ip.is_v4()) {
    out.v4 = {};
    out.v4.sin_family = AF_INET;
    out.v4.sin_port = htons(address.port);
    std::memcpy(&out.v4.sin_addr, bytes.data(), sizeof out.v4.sin_addr);
    return sizeof out.v4;
  }
  out.v6 = {};
  out.v6.sin6_family = AF_INET6;
  out.v6.sin6_port = htons(address.port);
  out.v6.sin6_scope_id = address.ip.scope_id();
  std::memcpy(&out.v6.sin6_addr, bytes.data(), sizeof out.v6.sin6_addr);
  return sizeof out.v6;
}

std::optional<SocketAddress> from_kernel(const KernelAddress& address, socklen_t length) noexcept {
  if (length >= sizeof(sockaddr_in) && address.generic.sa_family == AF_INET) {
    std::array<std::uint8_t, 4> bytes;
    std::memcpy(bytes.data(), &address.v4.sin_addr, bytes.size());
    return SocketAddress{IpAddress::v4(bytes), ntohs(address.v4.sin_port)};
  }
  if (length >= sizeof(sockaddr_in6) && address.generic.sa_family == AF_INET6) {
    std::array<std::uint8_t, 16> bytes;
    std::memcpy(bytes.data(), &address.v6.sin6_addr, bytes.size());
    return SocketAddress{IpAddress::v6(bytes, address.v6.sin6_scope_id),
                         ntohs(address.v6.sin6_port)};
  }
  return std::nullopt;
}

}  // namespace runnel::daemon
