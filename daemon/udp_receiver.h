// Takes datagrams from sockets into memory of its own, many with one call.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <sys/socket.h>
#include <vector>

#include "core/base/packet_slab.h"
#include "core/relay/engine.h"
#include "daemon/socket_address.h"
#include "daemon/socket_capabilities.h"
#include "daemon/udp_socket.h"

namespace runnel::daemon {

/// Collects the datagrams of several sockets until there are kBatch of them, so that what arrives
/// together is decrypted together. Never allocates after construction. One thread.
class UdpReceiver {
 public:
  static constexpr std::size_t kBatch = 64;

  explicit UdpReceiver(SocketCapabilities capabilities = {});

  /// Appends what `socket` has, as far as there is room; never waits. True when the socket may
  /// have more. The port becomes that of the datagrams.
  bool receive(const UdpSocket& socket, relay::PortIndex port) noexcept;

  [[nodiscard]] bool full() const noexcept { return datagrams_.size() == kBatch; }
  /// They and their bytes live until `clear`.
  [[nodiscard]] std::span<const relay::IncomingDatagram> datagrams() const noexcept {
    return datagrams_;
  }
  void clear() noexcept { datagrams_.clear(); }

 private:
  int receive_into(int descriptor, std::span<mmsghdr> headers) noexcept;

  SocketCapabilities capabilities_;
  PacketSlab slab_;
  std::array<KernelAddress, kBatch> addresses_;
  std::array<iovec, kBatch> vectors_;
  std::array<mmsghdr, kBatch> headers_;
  std::vector<relay::IncomingDatagram> datagrams_;
};

}  // namespace runnel::daemon
