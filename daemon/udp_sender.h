// Sends what the engine has put into its outbox: few calls, no waiting, no queue.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <sys/socket.h>
#include <vector>

#include "core/base/drop_reason.h"
#include "core/relay/outbox.h"
#include "daemon/segmentation.h"
#include "daemon/socket_address.h"
#include "daemon/socket_capabilities.h"
#include "daemon/udp_socket.h"

namespace runnel::daemon {

/// A datagram that did not leave, by its OutgoingDatagram::owner.
struct SendFailure {
  std::uint32_t owner = 0;
  DropReason reason = DropReason::send_failed;

  friend bool operator==(const SendFailure&, const SendFailure&) = default;
};

/// The network has said that `destination`, reached from `port`, is not there.
struct UnreachableReport {
  relay::PortIndex port{};
  SocketAddress destination;

  friend bool operator==(const UnreachableReport&, const UnreachableReport&) = default;
};

/// Neighbouring datagrams to one destination and of equal size leave as one UDP_SEGMENT message,
/// and many messages with one sendmmsg. What the kernel does not take at once is dropped and
/// reported. Never allocates after construction. One thread.
class UdpSender {
 public:
  /// How many ICMP errors one `send` reports at most; more wait in the socket's error queue.
  static constexpr std::size_t kMaxUnreachableReports = 64;

  /// `capacity`: most datagrams of one `send`.
  explicit UdpSender(std::size_t capacity, SocketCapabilities capabilities = {});

  /// `sockets` are indexed by PortIndex. The results are valid until the next `send`.
  void send(std::span<UdpSocket> sockets,
            std::span<const relay::OutgoingDatagram> datagrams) noexcept;

  [[nodiscard]] std::span<const SendFailure> failures() const noexcept { return failures_; }
  /// Learnt in passing, because an error of an earlier send stood in the way of this one.
  [[nodiscard]] std::span<const UnreachableReport> unreachable() const noexcept {
    return unreachable_;
  }
  /// What is still in use, after whatever fallbacks the kernel has forced.
  [[nodiscard]] bool uses_segmentation() const noexcept { return segmentation_.enabled(); }

 private:
  using Datagrams = std::span<const relay::OutgoingDatagram>;

  std::size_t prepare(Datagrams datagrams) noexcept;
  void transmit(UdpSocket& socket, Datagrams datagrams, std::size_t message_count) noexcept;
  int send_messages(int descriptor, std::span<mmsghdr> messages) noexcept;
  bool send_separately(UdpSocket& socket, Datagrams datagrams) noexcept;
  void take_icmp_errors(UdpSocket& socket, relay::PortIndex port) noexcept;
  void fail(Datagrams datagrams, int error) noexcept;

  bool use_sendmmsg_;
  Segmentation segmentation_;
  // Parallel to the datagrams: one vector each. Parallel to the messages: the rest.
  std::vector<iovec> vectors_;
  std::vector<mmsghdr> headers_;
  std::vector<KernelAddress> addresses_;
  std::vector<SegmentControl> controls_;
  std::vector<SendFailure> failures_;
  std::vector<UnreachableReport> unreachable_;
};

}  // namespace runnel::daemon
