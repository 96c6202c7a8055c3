#include "daemon/signalling/media_paths.h"

#include <algorithm>

namespace runnel::daemon {

MediaPaths::MediaPaths(PortIndex first_port, const transport::Transports& transports)
    : first_port_(first_port), transports_(transports), slab_(kBatch) {
  arrived_.reserve(kBatch);
}

Path MediaPaths::path(std::size_t listener, const SocketAddress& remote) const noexcept {
  return {static_cast<PortIndex>(static_cast<std::size_t>(first_port_) + listener), remote};
}

void MediaPaths::close(const Path& path) {
  if (slots_.erase(path) != 0) closed_.push_back(path);
}

std::optional<Slot> MediaPaths::find(const Path& path) const noexcept {
  const auto found = slots_.find(path);
  if (found == slots_.end()) return std::nullopt;
  return found->second;
}

bool MediaPaths::has_peer(const Path& path) const noexcept {
  return transports_.peer_at(path).has_value();
}

bool MediaPaths::take(const Path& path, const transport::StreamFrame& frame) noexcept {
  if (arrived_.size() == kBatch) return false;
  const ByteSpan slot = slab_.slot(arrived_.size());
  std::ranges::copy(frame.packet, slot.begin());
  arrived_.push_back({.port = path.port,
                      .remote = path.remote,
                      .bytes = slot.first(frame.packet.size()),
                      .truncated = frame.truncated});
  return true;
}

std::optional<Path> MediaPaths::next_closed() {
  if (closed_.empty()) return std::nullopt;
  const Path path = closed_.back();
  closed_.pop_back();
  return path;
}

}  // namespace runnel::daemon
