// Who is known by which SSRC on the ports that many legs share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/relay/relay_description.h"

namespace runnel::relay {

/// A flat table with open addressing, never more than half full. Allocates in `add` alone. Clients
/// may choose their SSRCs, but not where these stand: that depends on a secret.
class SsrcDirectory {
 public:
  struct Holder {
    enum class Kind : std::uint8_t {
      source,    // sends RTP under it: index of the SourceTrack
      receiver,  // will report under it: index of the leg
    };
    Kind kind = Kind::source;
    std::uint32_t index = 0;

    friend bool operator==(const Holder&, const Holder&) = default;
  };

  explicit SsrcDirectory(std::uint64_t secret);

  [[nodiscard]] std::optional<Holder> find(PortIndex port, std::uint32_t ssrc) const noexcept {
    const std::uint64_t key = key_of(port, ssrc);
    for (std::size_t place = home(key); entries_[place].used; place = next(place)) {
      if (entries_[place].key == key) return entries_[place].holder;
    }
    return std::nullopt;
  }
  /// Nobody is known by it yet.
  void add(PortIndex port, std::uint32_t ssrc, Holder holder);
  /// Nothing happens when it is not there.
  void remove(PortIndex port, std::uint32_t ssrc) noexcept;
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  struct Entry {
    std::uint64_t key = 0;
    Holder holder;
    bool used = false;
  };

  [[nodiscard]] static std::uint64_t key_of(PortIndex port, std::uint32_t ssrc) noexcept {
    return std::uint64_t{static_cast<std::uint16_t>(port)} << 32 | ssrc;
  }
  [[nodiscard]] std::size_t home(std::uint64_t key) const noexcept {
    std::uint64_t hash = (key ^ secret_) * 0xff51'afd7'ed55'8ccdU;
    hash = (hash ^ (hash >> 32)) * 0xc4ce'b9fe'1a85'ec53U;
    return static_cast<std::size_t>(hash >> 32) & (entries_.size() - 1);
  }
  [[nodiscard]] std::size_t next(std::size_t place) const noexcept {
    return (place + 1) & (entries_.size() - 1);
  }
  void put(const Entry& entry) noexcept;
  void grow();

  std::uint64_t secret_;
  std::vector<Entry> entries_;  // a power of two
  std::size_t size_ = 0;
};

}  // namespace runnel::relay
