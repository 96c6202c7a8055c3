// Which fast calls for UDP this kernel offers.
#pragma once

namespace runnel::daemon {

/// What sender and receiver may use; they clear a flag for good when a call turns out not to work
/// after all. The defaults are what a current Linux offers; tests clear flags to take the slow
/// ways.
struct SocketCapabilities {
  bool recvmmsg = true;     // many datagrams in one call, in
  bool sendmmsg = true;     // many messages in one call, out
  bool udp_segment = true;  // UDP_SEGMENT: one message becomes many datagrams of equal size

  friend bool operator==(const SocketCapabilities&, const SocketCapabilities&) = default;
};

/// Tries each call on a socket of its own (sandboxes refuse calls that the kernel has).
[[nodiscard]] SocketCapabilities probe_socket_capabilities() noexcept;

}  // namespace runnel::daemon
