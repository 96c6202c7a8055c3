// A UDP socket for generators, sinks and yardsticks.
#pragma once

#include <cstdint>
#include <netinet/in.h>
#include <span>
#include <sys/socket.h>

#include "core/base/bytes.h"

namespace runnel::bench {

/// Owns the descriptor. Every failure to set up ends the process with a message: a benchmark has
/// nothing to measure then.
class UdpSocket {
 public:
  /// Bound to `local`; a zero port takes any. Both buffers get `buffer_size` bytes, or as much as
  /// the machine grants.
  UdpSocket(const sockaddr_in& local, int buffer_size);
  UdpSocket(const UdpSocket&) = delete;
  UdpSocket& operator=(const UdpSocket&) = delete;
  ~UdpSocket();

  [[nodiscard]] int fd() const noexcept { return fd_; }
  void connect(const sockaddr_in& remote);
  /// Switches an integer option of the socket; false when the machine does not know it.
  [[nodiscard]] bool set(int level, int option, int value) noexcept;

 private:
  int fd_ = -1;
};

[[nodiscard]] sockaddr_in ipv4(std::uint32_t host_order_address, std::uint16_t port) noexcept;

/// Room for one UDP_SEGMENT or UDP_GRO control message.
struct SegmentControl {
  alignas(cmsghdr) std::array<std::uint8_t, CMSG_SPACE(sizeof(int))> bytes{};

  /// Makes `message` a run of datagrams of `size` bytes each (the last may be shorter).
  void attach(msghdr& message, std::uint16_t size) noexcept;
};

}  // namespace runnel::bench
