// A client on loopback that never blocks: it collects what comes, and says whether that has ended.
#pragma once

#include <cerrno>
#include <string>
#include <string_view>
#include <sys/socket.h>

#include <gtest/gtest.h>

#include "daemon/file_descriptor.h"
#include "daemon/socket_address.h"

namespace runnel::daemon {

class TcpClient {
 public:
  /// `receive_buffer` in bytes, 0 for the kernel's choice.
  explicit TcpClient(const SocketAddress& server, int receive_buffer = 0)
      : socket_(::socket(server.ip.is_v4() ? AF_INET : AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    if (receive_buffer != 0) {
      ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVBUF, &receive_buffer, sizeof receive_buffer);
    }
    KernelAddress address;
    const socklen_t length = to_kernel(server, address);
    EXPECT_EQ(::connect(socket_.get(), &address.generic, length), 0) << errno;
  }

  /// How the server sees it.
  [[nodiscard]] SocketAddress local_address() const {
    KernelAddress address;
    socklen_t length = sizeof address;
    EXPECT_EQ(::getsockname(socket_.get(), &address.generic, &length), 0) << errno;
    return from_kernel(address, length).value();
  }

  /// As much as the socket takes at once; answers how much.
  std::size_t send(std::string_view bytes) {
    const ssize_t sent =
        ::send(socket_.get(), bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    return sent < 0 ? 0 : static_cast<std::size_t>(sent);
  }
  /// Nothing more will be sent.
  void end() { ::shutdown(socket_.get(), SHUT_WR); }
  void close() { socket_ = {}; }

  /// Everything that has come so far.
  const std::string& received() {
    std::string piece(64 * 1024, '\0');
    for (;;) {
      const ssize_t size = ::recv(socket_.get(), piece.data(), piece.size(), MSG_DONTWAIT);
      if (size > 0) {
        received_.append(piece, 0, static_cast<std::size_t>(size));
        continue;
      }
      has_ended_ = has_ended_ || size == 0;
      was_reset_ = was_reset_ || (size < 0 && errno == ECONNRESET);
      return received_;
    }
  }
  std::string take() {
    received();
    return std::exchange(received_, {});
  }
  /// Whether the server has ended the connection, without a reset.
  bool has_ended() {
    received();
    return has_ended_;
  }
  bool was_reset() {
    received();
    return was_reset_;
  }

 private:
  FileDescriptor socket_;
  std::string received_;
  bool has_ended_ = false;
  bool was_reset_ = false;
};

}  // namespace runnel::daemon
