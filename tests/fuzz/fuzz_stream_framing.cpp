// Framed packets on a byte stream: whatever comes, in whatever pieces, the packets are those that a
// look at the whole stream finds.
#include <algorithm>
#include <cstdlib>
#include <vector>

#include "core/transport/stream_framing.h"

namespace {

using runnel::ByteView;
using Packets = std::vector<std::vector<std::uint8_t>>;

constexpr std::size_t kLongest = 64;

/// The whole stream at once; an unfinished packet at its end is none.
Packets expected(ByteView stream) {
  Packets packets;
  while (stream.size() >= runnel::transport::kFrameHeaderSize) {
    const std::size_t size = runnel::load_be16(stream.data());
    stream = stream.subspan(runnel::transport::kFrameHeaderSize);
    if (stream.size() < size) break;
    const ByteView packet = stream.first(std::min(size, kLongest));
    if (size > 0) packets.emplace_back(packet.begin(), packet.end());
    stream = stream.subspan(size);
  }
  return packets;
}

}  // namespace

// The first byte says into which pieces the rest is cut.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::size_t piece_size = data[0] + std::size_t{1};
  const ByteView stream(data + 1, size - 1);
  Packets packets;
  runnel::transport::FrameReader reader(kLongest);
  for (ByteView rest = stream; !rest.empty();) {
    ByteView piece = rest.first(std::min(piece_size, rest.size()));
    rest = rest.subspan(piece.size());
    while (const auto frame = reader.next(piece)) {
      static_cast<void>(runnel::transport::has_shape_of_binding_request(frame->packet));
      packets.emplace_back(frame->packet.begin(), frame->packet.end());
    }
  }
  if (packets != expected(stream)) std::abort();
  return 0;
}
