// To which encoding each SSRC of a peer belongs, as its packets have shown.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace runnel::relay {

/// Where the packets of an SSRC go.
struct SsrcRoute {
  static constexpr std::uint32_t kNowhere = std::numeric_limits<std::uint32_t>::max();

  std::uint32_t ssrc = 0;
  std::uint32_t track = 0;         // index of a SourceTrack; kNowhere: its medium is gone
  bool is_retransmission = false;  // of that track's packets (RFC 4588)

  friend bool operator==(const SsrcRoute&, const SsrcRoute&) = default;
};

/// At most so many, since each costs an SRTP context too. Once learnt, a route stays when the peer
/// ceases to send MID and RID; that of a medium that is gone stays too, and leads nowhere, since
/// the peer may send for a while yet. Never allocates after construction.
class SsrcRoutes {
 public:
  explicit SsrcRoutes(std::size_t limit) : limit_(limit) { routes_.reserve(limit); }

  [[nodiscard]] std::optional<SsrcRoute> find(std::uint32_t ssrc) const noexcept {
    const auto found = std::ranges::find(routes_, ssrc, &SsrcRoute::ssrc);
    if (found == routes_.end()) return std::nullopt;
    return *found;
  }
  /// Instead of what was known of its SSRC. False when there is no room.
  [[nodiscard]] bool add(const SsrcRoute& route) noexcept {
    const auto known = std::ranges::find(routes_, route.ssrc, &SsrcRoute::ssrc);
    if (known != routes_.end()) {
      *known = route;
      return true;
    }
    if (routes_.size() == limit_) return false;
    routes_.push_back(route);
    return true;
  }
  /// Its SSRCs lead nowhere from now on.
  void close_track(std::uint32_t track) noexcept {
    for (SsrcRoute& route : routes_) {
      if (route.track == track) route.track = SsrcRoute::kNowhere;
    }
  }
  /// Those that lead nowhere.
  void forget_closed() noexcept {
    std::erase_if(routes_,
                  [](const SsrcRoute& route) { return route.track == SsrcRoute::kNowhere; });
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
