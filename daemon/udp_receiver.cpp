#include "daemon/udp_receiver.h"

#include <cerrno>

namespace runnel::daemon {

UdpReceiver::UdpReceiver(SocketCapabilities capabilities)
    : capabilities_(capabilities), slab_(kBatch), headers_{} {
  datagrams_.reserve(kBatch);
  for (std::size_t i = 0; i < kBatch; ++i) {
    vectors_[i] = {slab_.slot(i).data(), kMaxDatagramSize};
    headers_[i].msg_hdr.msg_name = &addresses_[i];
    headers_[i].msg_hdr.msg_iov = &vectors_[i];
    headers_[i].msg_hdr.msg_iovlen = 1;
  }
}

bool UdpReceiver::receive(const UdpSocket& socket, relay::PortIndex port) noexcept {
  const std::size_t first = datagrams_.size();
  const std::span<mmsghdr> headers = std::span(headers_).subspan(first);
  if (headers.empty()) return true;
  for (mmsghdr& header : headers) header.msg_hdr.msg_namelen = sizeof(KernelAddress);
  const int received = receive_into(socket.descriptor(), headers);
  if (received <= 0) return false;
  const auto count = static_cast<std::size_t>(received);
  for (std::size_t i = 0; i < count; ++i) {
    const msghdr& header = headers[i].msg_hdr;
    const auto remote = from_kernel(addresses_[first + i], header.msg_namelen);
    datagrams_.push_back({
        .port = port,
        .remote = remote.value_or(SocketAddress{}),
        .bytes = slab_.slot(first + i).first(headers[i].msg_len),
        .truncated = (header.msg_flags & MSG_TRUNC) != 0,
    });
  }
  return count == headers.size() || !capabilities_.recvmmsg;
}

// How many arrived; 0 when none waits. An error that an earlier send has left on the socket is
// reported once by the kernel and then gone, so one more try gets past it; what it was about waits
// in the error queue.
int UdpReceiver::receive_into(int descriptor, std::span<mmsghdr> headers) noexcept {
  bool retried = false;
  for (;;) {
    int received;
    if (capabilities_.recvmmsg) {
      received = ::recvmmsg(descriptor, headers.data(), static_cast<unsigned>(headers.size()),
                            MSG_DONTWAIT, nullptr);
    } else {
      const ssize_t bytes = ::recvmsg(descriptor, &headers[0].msg_hdr, MSG_DONTWAIT);
      headers[0].msg_len = bytes < 0 ? 0u : static_cast<unsigned>(bytes);
      received = bytes < 0 ? -1 : 1;
    }
    if (received >= 0) return received;
    if (errno == EAGAIN) return 0;
    if (errno == EINTR) continue;
    if (errno == ENOSYS && capabilities_.recvmmsg) {
      capabilities_.recvmmsg = false;
      continue;
    }
    if (retried) return 0;
    retried = true;
  }
}

}  // namespace runnel::daemon
