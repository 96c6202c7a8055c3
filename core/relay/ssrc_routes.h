// To which encoding each SSRC of a peer belongs, as its packets have shown.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace runnel::relay {

/// Where the packets of an SSRC go.
struct SsrcRoute {
  std::uint32_t ssrc = 0;
  std::uint32_t track = 0;         // index of a SourceTrack
  bool is_retransmission = false;  // of that track's packets (RFC 4588)

  friend bool operator==(const SsrcRoute&, const SsrcRoute&) = default;
};

/// At most so many, since each costs an SRTP context too. Once learnt, a route stays when the peer
/// ceases to send MID and RID. Never allocates after construction.
class SsrcRoutes {
 public:
  explicit SsrcRoutes(std::size_t limit) : limit_(limit) { routes_.reserve(limit); }

  [[nodiscard]] std::optional<SsrcRoute> find(std::uint32_t ssrc) const noexcept {
    const auto found = std::ranges::find(routes_, ssrc, &SsrcRoute::ssrc);
    if (found == routes_.end()) return std::nullopt;
    return *found;
  }
  /// False when there is no room.
  [[nodiscard]] bool add(const SsrcRoute& route) noexcept {
    if (routes_.size() == limit_) return false;
    routes_.push_back(route);
    return true;
  }
  void forget_track(std::uint32_t track) noexcept {
    std::erase_if(routes_, [track](const SsrcRoute& route) { return route.track == track; });
  }
  /// Of the track's retransmissions, that an older SSRC of them makes room.
  void forget(std::uint32_t track, bool retransmissions) noexcept {
    std::erase_if(routes_, [=](const SsrcRoute& route) {
      return route.track == track && route.is_retransmission == retransmissions;
    });
  }
  [[nodiscard]] std::size_t size() const noexcept { return routes_.size(); }

 private:
  std::size_t limit_;
  std::vector<SsrcRoute> routes_;
};

}  // namespace runnel::relay
