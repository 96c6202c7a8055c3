// Where packets come from and go to: a socket of ours and an address of theirs.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/base/address.h"

namespace runnel {

/// A socket of the daemon, by its number, which counts them from 0 upwards; the core never sees
/// one. UDP sockets come first. A TCP port on which peers connect for media (RFC 6544) has a number
/// too, and each of its connections is a path.
enum class PortIndex : std::uint16_t {};

/// A local port and a remote address.
struct Path {
  PortIndex port{};
  SocketAddress remote;

  friend bool operator==(const Path&, const Path&) = default;
};

struct PathHash {
  [[nodiscard]] std::size_t operator()(const Path& path) const noexcept {
    return SocketAddressHash()(path.remote) ^
           (static_cast<std::size_t>(path.port) * 0x9e3779b97f4a7c15U);
  }
};

}  // namespace runnel
