// RTP packets out of frames: whatever is taken for a frame, its packets keep to their size, and the
// frame that they are put together to goes the same way again unchanged.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/base/check.h"
#include "core/frames/frame_assembler.h"
#include "core/frames/frame_packetizer.h"

namespace {

using namespace runnel;
using Bytes = std::vector<std::uint8_t>;

constexpr std::array<const char*, 5> kFormats = {"VP8/90000", "VP9/90000", "H264/90000",
                                                 "H265/90000", "AV1/90000"};

std::optional<Bytes> there_and_back(const rtp::Codec& codec, ByteView frame,
                                    std::size_t packet_size) {
  frames::PacketizerOptions options;
  options.max_packet_size = packet_size;
  frames::FramePacketizer packetizer(codec, options);
  frames::FrameAssembler assembler(codec);
  if (!packetizer.begin(frame, true, 0)) return std::nullopt;
  Bytes out(packet_size);
  std::optional<Bytes> delivered;
  bool ended = false;
  while (const std::size_t size = packetizer.next(out)) {
    RUNNEL_CHECK(size <= packet_size && !ended);
    const auto packet = rtp::RtpPacketView::parse(ByteView(out).first(size)).value();
    RUNNEL_CHECK(!packet.payload().empty());
    ended = packet.marker();
    assembler.push(packet);
    if (const auto whole = assembler.next()) {
      delivered = Bytes(whole->bytes.begin(), whole->bytes.end());
    }
  }
  RUNNEL_CHECK(ended);
  RUNNEL_CHECK(assembler.statistics().lost_packets == 0);
  return delivered;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 2) return 0;
  const rtp::Codec codec =
      rtp::Codec::parse(rtp::MediaKind::video, kFormats[data[0] % kFormats.size()]).value();
  const std::size_t packet_size = frames::kMinPacketSize + data[1];
  const auto first = there_and_back(codec, ByteView(data + 2, size - 2), packet_size);
  if (!first) return 0;
  const auto second = there_and_back(codec, *first, packet_size);
  RUNNEL_CHECK(second == first);
  return 0;
}
