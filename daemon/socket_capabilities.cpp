#include "daemon/socket_capabilities.h"

#include <array>

#include "daemon/segmentation.h"
#include "daemon/socket_address.h"
#include "daemon/udp_socket.h"

namespace runnel::daemon {
namespace {

constexpr std::uint16_t kSegment = 8;

// Sends two segments to itself over loopback, where delivery is immediate.
bool segments_arrive(const UdpSocket& socket) noexcept {
  std::array<std::uint8_t, 2 * kSegment> payload{};
  iovec vector{payload.data(), payload.size()};
  KernelAddress destination;
  SegmentControl control;
  msghdr message{};
  message.msg_name = &destination;
  message.msg_namelen = to_kernel(socket.local_address(), destination);
  message.msg_iov = &vector;
  message.msg_iovlen = 1;
  ask_for_segments(message, control, kSegment);
  if (::sendmsg(socket.descriptor(), &message, MSG_DONTWAIT) < 0) return false;
  return ::recv(socket.descriptor(), payload.data(), payload.size(), MSG_DONTWAIT) == kSegment;
}

}  // namespace

SocketCapabilities probe_socket_capabilities() noexcept {
  const auto socket = UdpSocket::bind({IpAddress::v4({127, 0, 0, 1}), 0});
  if (!socket) return {false, false, false};
  mmsghdr nothing{};
  return {
      .recvmmsg = ::recvmmsg(socket->descriptor(), &nothing, 0, MSG_DONTWAIT, nullptr) == 0,
      .sendmmsg = ::sendmmsg(socket->descriptor(), &nothing, 0, MSG_DONTWAIT) == 0,
      .udp_segment = segments_arrive(*socket),
  };
}

}  // namespace runnel::daemon
