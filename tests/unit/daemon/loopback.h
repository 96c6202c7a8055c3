// Sockets on loopback for tests, with waiting that has an end.
#pragma once

#include <cstring>
#include <poll.h>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "daemon/socket_address.h"
#include "daemon/udp_socket.h"

namespace runnel::daemon {

inline UdpSocket bind_or_die(const char* address) {
  auto socket = UdpSocket::bind(SocketAddress::parse(address).value());
  if (!socket) {
    ADD_FAILURE() << "cannot bind " << address << ": " << std::strerror(socket.error().code);
    std::abort();
  }
  return std::move(*socket);
}

inline bool has_ipv6_loopback() {
  return UdpSocket::bind(SocketAddress::parse("[::1]:0").value()).has_value();
}

/// Whether something that poll(2) tells comes within ten seconds.
inline bool wait_for(const UdpSocket& socket, short events = POLLIN) {
  pollfd descriptor{socket.descriptor(), events, 0};
  return ::poll(&descriptor, 1, 10'000) == 1;
}

inline void send_to(const UdpSocket& from, const SocketAddress& to, const std::string& bytes) {
  KernelAddress address;
  const socklen_t length = to_kernel(to, address);
  ASSERT_EQ(::sendto(from.descriptor(), bytes.data(), bytes.size(), 0, &address.generic, length),
            static_cast<ssize_t>(bytes.size()));
}

/// The next datagram, or "(nothing)" after ten seconds.
inline std::string next_datagram(const UdpSocket& socket) {
  if (!wait_for(socket)) return "(nothing)";
  std::string bytes(65'536, '\0');
  const ssize_t length = ::recv(socket.descriptor(), bytes.data(), bytes.size(), MSG_DONTWAIT);
  bytes.resize(length < 0 ? 0 : static_cast<std::size_t>(length));
  return bytes;
}

inline bool is_silent(const UdpSocket& socket) {
  char byte;
  return ::recv(socket.descriptor(), &byte, 1, MSG_DONTWAIT) < 0;
}

/// An address on which nobody listens: bound and given up again.
inline SocketAddress abandoned_address() {
  return bind_or_die("127.0.0.1:0").local_address();
}

}  // namespace runnel::daemon
