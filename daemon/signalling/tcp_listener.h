// A bound TCP port and the connections that wait on it.
#pragma once

#include <expected>

#include "core/base/address.h"
#include "daemon/file_descriptor.h"
#include "daemon/system_error.h"

namespace runnel::daemon {

/// A new connection: non-blocking, closed on exec, without Nagle's delay (what is written leaves).
struct AcceptedSocket {
  FileDescriptor descriptor;
  SocketAddress remote;
  std::size_t listener = 0;  // which of several it came to
};

/// Non-blocking, closed on exec, IPv6 without IPv4. Listens again at once after a restart, while
/// connections of the last run are still in TIME_WAIT.
class TcpListener {
 public:
  /// Port 0 lets the kernel choose; `local_address` tells what it chose.
  [[nodiscard]] static std::expected<TcpListener, SystemError> bind(const SocketAddress& address);

  /// The connection that waits longest. The error is an errno: EAGAIN when there is none, EMFILE
  /// and its kind when there is one that the machine has no room for. Connections that ended while
  /// they waited are skipped.
  [[nodiscard]] std::expected<AcceptedSocket, int> accept() noexcept;

  [[nodiscard]] int descriptor() const noexcept { return descriptor_.get(); }
  [[nodiscard]] const SocketAddress& local_address() const noexcept { return local_address_; }

 private:
  TcpListener(FileDescriptor descriptor, const SocketAddress& local_address) noexcept
      : descriptor_(std::move(descriptor)), local_address_(local_address) {}

  FileDescriptor descriptor_;
  SocketAddress local_address_;
};

}  // namespace runnel::daemon
