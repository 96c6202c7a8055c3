// The TCP connections that carry media (ICE-TCP), as the engine sees them: ports, paths, packets.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/base/packet_slab.h"
#include "core/base/path.h"
#include "core/relay/engine.h"
#include "core/transport/stream_framing.h"
#include "core/transport/transports.h"
#include "daemon/signalling/connection_table.h"

namespace runnel::daemon {

/// A listener's port is numbered behind those of UDP; each of its connections that has begun with a
/// STUN request is a path. Packets are copied out of the stream, since the engine decrypts in place
/// and wants room behind them. Never allocates for a packet.
class MediaPaths {
 public:
  /// Packets that the engine is given together.
  static constexpr std::size_t kBatch = 64;

  /// `first_port` is that of the first listener; the others follow. `transports`, which say whose a
  /// path is, must outlive it.
  MediaPaths(PortIndex first_port, const transport::Transports& transports);

  [[nodiscard]] Path path(std::size_t listener, const SocketAddress& remote) const noexcept;
  void open(const Path& path, Slot slot) { slots_[path] = slot; }
  /// The engine has to be told, see `next_closed`. Nothing happens when it is not open.
  void close(const Path& path);
  [[nodiscard]] std::optional<Slot> find(const Path& path) const noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return slots_.size(); }
  /// Whether a peer has authenticated it, and is still there.
  [[nodiscard]] bool has_peer(const Path& path) const noexcept;

  /// A packet that has come; false when there are kBatch already.
  [[nodiscard]] bool take(const Path& path, const transport::StreamFrame& frame) noexcept;
  /// For the engine. Valid until `clear_arrived`.
  [[nodiscard]] std::span<const relay::IncomingDatagram> arrived() const noexcept {
    return arrived_;
  }
  void clear_arrived() noexcept { arrived_.clear(); }
  /// Paths that are gone since, one after the other.
  [[nodiscard]] std::optional<Path> next_closed();
  /// Whether there is something for the engine.
  [[nodiscard]] bool has_news() const noexcept { return !arrived_.empty() || !closed_.empty(); }

 private:
  PortIndex first_port_;
  const transport::Transports& transports_;
  std::unordered_map<Path, Slot, PathHash> slots_;
  PacketSlab slab_;
  std::vector<relay::IncomingDatagram> arrived_;
  std::vector<Path> closed_;
};

}  // namespace runnel::daemon
