#include "daemon/udp_sender.h"

#include <algorithm>
#include <cerrno>

#include "core/base/check.h"
#include "daemon/segment_run.h"

namespace runnel::daemon {
namespace {

DropReason reason_of(int error) noexcept {
  switch (error) {
    case EAGAIN:
    case ENOBUFS:  // the queue of the network device; told because IP_RECVERR is set
    case ENOMEM:
      return DropReason::send_buffer_full;
    case ECONNREFUSED:
    case EHOSTUNREACH:
    case EHOSTDOWN:
    case ENETUNREACH:
    case ENETDOWN:
    case ENODEV:
    case EADDRNOTAVAIL:
      return DropReason::unreachable;
    default:
      return DropReason::send_failed;
  }
}

// Errors of the moment, which cannot come from an ICMP error about somebody else.
bool is_full(int error) noexcept {
  return reason_of(error) == DropReason::send_buffer_full;
}

bool may_refuse_segments(int error) noexcept {
  return error == EINVAL || error == EIO || error == EMSGSIZE;
}

std::size_t same_port(std::span<const relay::OutgoingDatagram> datagrams) noexcept {
  const auto end = std::ranges::find_if(
      datagrams, [port = datagrams.front().port](const relay::OutgoingDatagram& datagram) {
        return datagram.port != port;
      });
  return static_cast<std::size_t>(end - datagrams.begin());
}

}  // namespace

UdpSender::UdpSender(std::size_t capacity, SocketCapabilities capabilities)
    : use_sendmmsg_(capabilities.sendmmsg),
      segmentation_(capabilities.udp_segment),
      vectors_(capacity),
      headers_(capacity),
      addresses_(capacity),
      controls_(capacity) {
  failures_.reserve(capacity);
  unreachable_.reserve(kMaxUnreachableReports);
}

void UdpSender::send(std::span<UdpSocket> sockets, Datagrams datagrams) noexcept {
  RUNNEL_CHECK(datagrams.size() <= vectors_.size());
  failures_.clear();
  unreachable_.clear();
  while (!datagrams.empty()) {
    const Datagrams together = datagrams.first(same_port(datagrams));
    const auto socket = static_cast<std::size_t>(together.front().port);
    transmit(sockets[socket], together, prepare(together));
    datagrams = datagrams.subspan(together.size());
  }
}

// Makes messages of datagrams of one port, each message of one run. How many messages.
std::size_t UdpSender::prepare(Datagrams datagrams) noexcept {
  std::size_t message_count = 0;
  for (std::size_t first = 0; first < datagrams.size();) {
    const Datagrams rest = datagrams.subspan(first);
    const bool segmented = segmentation_.allowed(rest.front().destination);
    const std::size_t run = segmented ? segment_run(rest) : 1;
    for (std::size_t i = first; i < first + run; ++i) {
      const ByteView bytes = datagrams[i].bytes;
      // sendmsg reads only; its signature is that of recvmsg.
      vectors_[i] = {const_cast<std::uint8_t*>(bytes.data()), bytes.size()};
    }
    msghdr& message = headers_[message_count].msg_hdr;
    message = {};
    message.msg_name = &addresses_[message_count];
    message.msg_namelen = to_kernel(rest.front().destination, addresses_[message_count]);
    message.msg_iov = &vectors_[first];
    message.msg_iovlen = run;
    if (run > 1) {
      const auto size = static_cast<std::uint16_t>(rest.front().bytes.size());
      ask_for_segments(message, controls_[message_count], size);
    }
    ++message_count;
    first += run;
  }
  return message_count;
}

// A kernel call either takes some messages or names what is wrong with the first of them. An error
// may also be that of an earlier datagram to someone else (ICMP), reported on this occasion: so the
// error queue is emptied and the message tried once more before it is blamed.
void UdpSender::transmit(UdpSocket& socket, Datagrams datagrams,
                         std::size_t message_count) noexcept {
  std::span<mmsghdr> messages = std::span(headers_).first(message_count);
  bool retried = false;
  while (!messages.empty()) {
    const int sent = send_messages(socket.descriptor(), messages);
    if (sent > 0) {
      for (const mmsghdr& message : messages.first(static_cast<std::size_t>(sent))) {
        datagrams = datagrams.subspan(message.msg_hdr.msg_iovlen);
      }
      messages = messages.subspan(static_cast<std::size_t>(sent));
      retried = false;
      continue;
    }
    const int error = errno;
    if (error == EAGAIN) return fail(datagrams, error);
    if (!retried && !is_full(error)) {
      take_icmp_errors(socket, datagrams.front().port);
      retried = true;
      continue;
    }
    const Datagrams refused = datagrams.first(messages.front().msg_hdr.msg_iovlen);
    if (refused.size() > 1 && may_refuse_segments(error)) {
      if (send_separately(socket, refused)) segmentation_.refused(refused.front().destination);
    } else {
      fail(refused, error);
    }
    datagrams = datagrams.subspan(refused.size());
    messages = messages.subspan(1);
    retried = false;
  }
}

// As sendmmsg: how many messages left, or -1 and errno.
int UdpSender::send_messages(int descriptor, std::span<mmsghdr> messages) noexcept {
  for (;;) {
    int sent;
    if (use_sendmmsg_) {
      sent = ::sendmmsg(descriptor, messages.data(), static_cast<unsigned>(messages.size()),
                        MSG_DONTWAIT | MSG_NOSIGNAL);
    } else {
      const auto flags = MSG_DONTWAIT | MSG_NOSIGNAL;
      sent = ::sendmsg(descriptor, &messages.front().msg_hdr, flags) < 0 ? -1 : 1;
    }
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && errno == ENOSYS && use_sendmmsg_) {
      use_sendmmsg_ = false;
      continue;
    }
    return sent;
  }
}

// The datagrams of a run that the kernel would not segment. True when one of them left, which means
// that the segments were what it disliked.
bool UdpSender::send_separately(UdpSocket& socket, Datagrams datagrams) noexcept {
  bool any_left = false;
  for (std::size_t i = 0; i < datagrams.size(); ++i) {
    KernelAddress destination;
    iovec vector{const_cast<std::uint8_t*>(datagrams[i].bytes.data()), datagrams[i].bytes.size()};
    mmsghdr message{};
    message.msg_hdr.msg_name = &destination;
    message.msg_hdr.msg_namelen = to_kernel(datagrams[i].destination, destination);
    message.msg_hdr.msg_iov = &vector;
    message.msg_hdr.msg_iovlen = 1;
    if (send_messages(socket.descriptor(), {&message, 1}) == 1) {
      any_left = true;
    } else {
      fail(datagrams.subspan(i, 1), errno);
    }
  }
  return any_left;
}

void UdpSender::take_icmp_errors(UdpSocket& socket, relay::PortIndex port) noexcept {
  while (unreachable_.size() < kMaxUnreachableReports) {
    const auto error = socket.next_icmp_error();
    if (!error) return;
    if (error->unreachable) unreachable_.push_back({port, error->destination});
  }
}

void UdpSender::fail(Datagrams datagrams, int error) noexcept {
  for (const relay::OutgoingDatagram& datagram : datagrams) {
    failures_.push_back({datagram.owner, reason_of(error)});
  }
}

}  // namespace runnel::daemon
