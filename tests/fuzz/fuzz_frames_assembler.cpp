// Frames out of RTP packets: whatever the payloads are and in whatever order they come, what is
// delivered keeps to its limit and its form, and memory stays bounded.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/byte_reader.h"
#include "core/base/check.h"
#include "core/frames/av1_obu.h"
#include "core/frames/drop_gate.h"
#include "core/frames/frame_assembler.h"

namespace {

using namespace runnel;

constexpr std::array<const char*, 6> kFormats = {"VP8/90000",  "VP9/90000", "H264/90000",
                                                 "H265/90000", "AV1/90000", "opus/48000/2"};
constexpr std::size_t kMaxFrameSize = 600;
constexpr std::uint16_t kWindow = 8;

void check(const frames::EncodedFrame& frame, frames::Format format) {
  RUNNEL_CHECK(!frame.bytes.empty() && frame.bytes.size() <= kMaxFrameSize);
  if (format == frames::Format::h264 || format == frames::Format::h265) {
    RUNNEL_CHECK(frame.bytes.size() > 4 && load_be32(frame.bytes.data()) == 1);
  }
  if (format == frames::Format::av1) {
    frames::ObuReader obus(frame.bytes);
    while (!obus.done()) RUNNEL_CHECK(obus.next().has_value());
  }
}

/// One packet of the input: flags, steps of sequence number and time, a length, a payload.
struct Step {
  bool marker = false;
  bool drain = false;
  bool flush = false;
  std::int8_t sequence_step = 0;
  std::uint8_t time_step = 0;
  ByteView payload;
};

bool read(ByteReader& reader, Step& step) {
  const auto flags = reader.u8();
  const auto sequence_step = reader.u8();
  const auto length = reader.u8();
  if (!flags || !sequence_step || !length) return false;
  step.marker = (*flags & 1) != 0;
  step.drain = (*flags & 2) == 0;
  step.flush = (*flags & 4) != 0;
  step.time_step = *flags >> 4;
  step.sequence_step = static_cast<std::int8_t>(*sequence_step);
  step.payload = reader.take(std::min<std::size_t>(*length, reader.remaining())).value();
  return true;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ByteReader reader(ByteView(data, size));
  const auto choice = reader.u8();
  if (!choice) return 0;
  const char* rtpmap = kFormats[*choice % kFormats.size()];
  const auto kind = *choice % kFormats.size() == 5 ? rtp::MediaKind::audio : rtp::MediaKind::video;
  const rtp::Codec codec = rtp::Codec::parse(kind, rtpmap).value();
  const frames::Format format = frames::format_of(codec);
  frames::FrameAssembler assembler(codec,
                                   {.max_frame_size = kMaxFrameSize, .reorder_window = kWindow});
  frames::DropGate gate(format);

  std::uint16_t sequence_number = 0;
  std::uint32_t timestamp = 0;
  std::vector<std::uint8_t> packet;
  Step step;
  while (read(reader, step)) {
    sequence_number = static_cast<std::uint16_t>(sequence_number + step.sequence_step);
    timestamp += step.time_step * 1000u;
    packet.resize(rtp::kFixedHeaderSize + step.payload.size());
    rtp::RtpHeader header;
    header.marker = step.marker;
    header.sequence_number = sequence_number;
    header.timestamp = {timestamp};
    const std::size_t header_size = rtp::write_header(header, packet);
    copy_bytes(ByteSpan(packet).subspan(header_size), step.payload);
    const auto view = rtp::RtpPacketView::parse(packet).value();
    const bool sent = gate.packet(view, packet.size() * step.time_step * 5000).send();
    RUNNEL_CHECK(!sent || step.time_step != 0);

    assembler.push(view);
    RUNNEL_CHECK(assembler.held_packets() <= 2 * kWindow + 1);
    if (step.flush) assembler.flush();
    while (step.drain || step.flush) {
      const auto frame = assembler.next();
      if (!frame) break;
      check(*frame, format);
    }
  }
  return 0;
}
