#include "daemon/segment_run.h"

namespace runnel::daemon {

std::size_t segment_run(std::span<const relay::OutgoingDatagram> datagrams) noexcept {
  if (datagrams.empty()) return 0;
  const relay::OutgoingDatagram& first = datagrams.front();
  const std::size_t size = first.bytes.size();
  std::size_t total = size;
  std::size_t count = 1;
  while (count < datagrams.size() && count < kMaxSegments) {
    const relay::OutgoingDatagram& next = datagrams[count];
    const std::size_t next_size = next.bytes.size();
    const bool fits =
        next_size != 0 && next_size <= size && total + next_size <= kMaxSegmentedBytes;
    if (!fits || next.port != first.port || next.destination != first.destination) break;
    total += next_size;
    ++count;
    if (next_size < size) break;
  }
  return count;
}

}  // namespace runnel::daemon
