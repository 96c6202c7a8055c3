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
  explicit constexpr DatagramOwner(std::uint32_t number) noexcept : number_(number) {}

  [[nodiscard]] constexpr std::uint32_t number() const noexcept { return number_; }
  [[nodiscard]] constexpr bool is_source() const noexcept { return (number_ & kSource) != 0; }
  [[nodiscard]] constexpr std::uint32_t index() const noexcept { return number_ & ~kSource; }

 private:
  static constexpr std::uint32_t kSource = 0x8000'0000;

  std::uint32_t number_;
};

}  // namespace runnel::relay
