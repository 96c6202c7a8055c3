// A bound UDP socket: how it is made, how big its buffers are, and what the network complains about
// on it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>

#include "core/base/address.h"
#include "daemon/file_descriptor.h"
#include "daemon/system_error.h"

namespace runnel::daemon {

/// Bytes asked for and bytes granted, in the sense of SO_RCVBUF and SO_SNDBUF (the kernel doubles
/// both for its bookkeeping; that is taken out again here).
struct BufferGrant {
  std::size_t asked = 0;
  std::size_t granted = 0;
};

/// An ICMP error about a datagram of ours.
struct IcmpError {
  SocketAddress destination;  // of the datagram that caused it
  /// False for mere advice, such as a smaller path MTU.
  bool unreachable = false;
};

/// Non-blocking, closed on exec, IPv6 without IPv4. ICMP errors wait in the socket's error queue,
/// each with the destination it is about, so that one dead receiver can be told from the others
/// that share the socket.
class UdpSocket {
 public:
  /// Port 0 lets the kernel choose; `local_address` tells what it chose.
  [[nodiscard]] static std::expected<UdpSocket, SystemError> bind(const SocketAddress& address);

  [[nodiscard]] int descriptor() const noexcept { return descriptor_.get(); }
  [[nodiscard]] const SocketAddress& local_address() const noexcept { return local_address_; }

  /// Also beyond net.core.rmem_max and wmem_max where the process has CAP_NET_ADMIN.
  BufferGrant set_receive_buffer(std::size_t bytes) noexcept;
  BufferGrant set_send_buffer(std::size_t bytes) noexcept;
  /// Datagrams that the kernel threw away because the receive buffer was full, since binding;
  /// wraps.
  [[nodiscard]] std::uint32_t receive_overflows() const noexcept;
  /// Takes the oldest ICMP error off the queue; nullopt when there is none. Reading the queue empty
  /// also clears the socket's pending error, which would fail the next send to anybody.
  [[nodiscard]] std::optional<IcmpError> next_icmp_error() noexcept;

 private:
  UdpSocket(FileDescriptor descriptor, const SocketAddress& local_address) noexcept
      : descriptor_(std::move(descriptor)), local_address_(local_address) {}

  FileDescriptor descriptor_;
  SocketAddress local_address_;
};

}  // namespace runnel::daemon
