// Whose datagram it is, in the one number that travels through the daemon and back.
#pragma once

#include <cstdint>

namespace runnel::relay {

class DatagramOwner {
 public:
  [[nodiscard]] static constexpr DatagramOwner receiver(std::uint32_t index) noexcept {
    return DatagramOwner(index);
  }
  /// RTCP to the source of a track.
  [[nodiscard]] static constexpr DatagramOwner source(std::uint32_t track) noexcept {
    return DatagramOwner(track | kSource);
  }
  /// Of a peer's STUN and DTLS.
  [[nodiscard]] static constexpr DatagramOwner nobody() noexcept { return DatagramOwner(kNobody); }
  explicit constexpr DatagramOwner(std::uint32_t number) noexcept : number_(number) {}

  [[nodiscard]] constexpr std::uint32_t number() const noexcept { return number_; }
  [[nodiscard]] constexpr bool is_nobody() const noexcept { return number_ == kNobody; }
  [[nodiscard]] constexpr bool is_source() const noexcept { return (number_ & kSource) != 0; }
  [[nodiscard]] constexpr std::uint32_t index() const noexcept { return number_ & ~kSource; }

 private:
  static constexpr std::uint32_t kSource = 0x8000'0000;
  static constexpr std::uint32_t kNobody = 0xffff'ffff;  // as of a track that there never is

  std::uint32_t number_;
};

}  // namespace runnel::relay
