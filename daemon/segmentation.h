// UDP_SEGMENT: its control message, and where it has turned out not to work.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <sys/socket.h>

#include "core/base/address.h"

namespace runnel::daemon {

/// Room for the control message that asks for segments of one size.
struct SegmentControl {
  alignas(cmsghdr) std::array<std::uint8_t, CMSG_SPACE(sizeof(std::uint16_t))> bytes;
};

/// Makes `message` leave as datagrams of `segment_size` bytes, the last one as long as what
/// remains. `control` must live as long as `message`.
void ask_for_segments(msghdr& message, SegmentControl& control,
                      std::uint16_t segment_size) noexcept;

/// Whether runs may be sent as segments. The kernel refuses that for some routes only (a device
/// without checksum offload, IPsec, a path whose MTU is smaller than a segment), and for good: so
/// those destinations are remembered, and when there are too many of them, nothing is segmented any
/// more.
class Segmentation {
 public:
  static constexpr std::size_t kMaxRefusals = 64;

  explicit Segmentation(bool enabled) noexcept : enabled_(enabled) {}

  [[nodiscard]] bool enabled() const noexcept { return enabled_; }
  [[nodiscard]] bool allowed(const SocketAddress& destination) const noexcept;
  void refused(const SocketAddress& destination) noexcept;

 private:
  bool enabled_;
  std::size_t refusal_count_ = 0;
  std::array<SocketAddress, kMaxRefusals> refusals_;
};

}  // namespace runnel::daemon
