#include "daemon/segmentation.h"

#include <algorithm>
#include <cstring>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <span>

namespace runnel::daemon {

void ask_for_segments(msghdr& message, SegmentControl& control,
                      std::uint16_t segment_size) noexcept {
  control.bytes = {};
  message.msg_control = control.bytes.data();
  message.msg_controllen = control.bytes.size();
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = IPPROTO_UDP;
  header->cmsg_type = UDP_SEGMENT;
  header->cmsg_len = CMSG_LEN(sizeof segment_size);
  std::memcpy(CMSG_DATA(header), &segment_size, sizeof segment_size);
}

bool Segmentation::allowed(const SocketAddress& destination) const noexcept {
  if (!enabled_) return false;
  const auto refusals = std::span(refusals_).first(refusal_count_);
  return std::find(refusals.begin(), refusals.end(), destination) == refusals.end();
}

void Segmentation::refused(const SocketAddress& destination) noexcept {
  if (!allowed(destination)) return;
  if (refusal_count_ == kMaxRefusals) {
    enabled_ = false;
  } else {
    refusals_[refusal_count_++] = destination;
  }
}

}  // namespace runnel::daemon
