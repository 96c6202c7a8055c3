// All peers, by their identity and by a small number for tables.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/base/check.h"
#include "core/transport/peer.h"

namespace runnel::transport {

/// A peer stays where it is in memory. Its number is its identity modulo the size of the table,
/// which is why no identity is given twice before 2^32 others.
class PeerTable {
 public:
  /// Room for `limit` peers, and as many places that stay empty.
  explicit PeerTable(std::size_t limit) : limit_(limit), peers_(std::bit_ceil(2 * limit + 1)) {}

  /// nullptr: there is no room.
  [[nodiscard]] Peer* add(ice::Credentials local, const ice::AgentLimits& limits) {
    if (is_full()) return nullptr;
    while (peers_[slot_of(PeerId{next_})] != nullptr) ++next_;
    const PeerId id{next_++};
    auto& place = peers_[slot_of(id)];
    place = std::make_unique<Peer>(id, std::move(local), limits);
    ++size_;
    return place.get();
  }
  /// It must be there.
  void remove(PeerId id) noexcept {
    peers_[slot_of(id)].reset();
    --size_;
  }

  /// nullptr: there is no such peer (any more).
  [[nodiscard]] Peer* find(PeerId id) const noexcept {
    Peer* peer = peers_[slot_of(id)].get();
    return peer != nullptr && peer->id == id ? peer : nullptr;
  }
  /// One that must be there.
  [[nodiscard]] Peer& get(PeerId id) const noexcept {
    Peer* peer = find(id);
    RUNNEL_CHECK(peer != nullptr);
    return *peer;
  }
  /// By its number, which must be in use.
  [[nodiscard]] Peer& at(std::uint32_t slot) const noexcept { return *peers_[slot]; }

  [[nodiscard]] std::uint32_t slot_of(PeerId id) const noexcept {
    return static_cast<std::uint32_t>(id) & static_cast<std::uint32_t>(peers_.size() - 1);
  }
  [[nodiscard]] bool is_full() const noexcept { return size_ == limit_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  /// All numbers are below.
  [[nodiscard]] std::size_t bound() const noexcept { return peers_.size(); }

 private:
  std::size_t limit_;
  std::size_t size_ = 0;
  std::uint32_t next_ = 1;
  std::vector<std::unique_ptr<Peer>> peers_;
};

}  // namespace runnel::transport
