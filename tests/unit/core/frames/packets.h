// RTP packets and frames as the tests of frames write them, and whole frames kept.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <vector>

#include <gtest/gtest.h>

#include "core/frames/frame_assembler.h"
#include "core/rtp/codec.h"
#include "core/rtp/rtp_packet.h"

namespace runnel::frames {

using Bytes = std::vector<std::uint8_t>;

inline rtp::Codec codec(const char* rtpmap, const char* parameters = "") {
  const std::string_view text(rtpmap);
  const bool video = text.find("/90000") != std::string_view::npos;
  auto parsed =
      rtp::Codec::parse(video ? rtp::MediaKind::video : rtp::MediaKind::audio, text).value();
  parsed.format_parameters = parameters;
  return parsed;
}

struct PacketDraft {
  std::uint16_t sequence_number = 0;
  std::uint32_t timestamp = 0;
  bool marker = false;
  Bytes payload;
};

inline Bytes to_packet(const PacketDraft& draft) {
  Bytes packet(rtp::kFixedHeaderSize + draft.payload.size());
  rtp::RtpHeader header;
  header.marker = draft.marker;
  header.payload_type = 96;
  header.sequence_number = draft.sequence_number;
  header.timestamp = {draft.timestamp};
  header.ssrc = 7;
  const std::size_t size = rtp::write_header(header, packet);
  std::copy(draft.payload.begin(), draft.payload.end(),
            packet.begin() + static_cast<std::ptrdiff_t>(size));
  return packet;
}

inline rtp::RtpPacketView view(ByteView packet) {
  return rtp::RtpPacketView::parse(packet).value();
}

/// A frame that outlives the assembler's buffer.
struct KeptFrame {
  Bytes bytes;
  bool key_frame = false;
  bool discontinuity = false;
  std::uint64_t timestamp_us = 0;

  friend bool operator==(const KeptFrame&, const KeptFrame&) = default;
};

inline KeptFrame keep(const EncodedFrame& frame) {
  return {Bytes(frame.bytes.begin(), frame.bytes.end()), frame.key_frame(), frame.discontinuity,
          frame.timestamp_us};
}

inline void drain(FrameAssembler& assembler, std::vector<KeptFrame>& frames) {
  while (const auto frame = assembler.next()) frames.push_back(keep(*frame));
}

inline std::vector<KeptFrame> push(FrameAssembler& assembler, const PacketDraft& draft) {
  const Bytes packet = to_packet(draft);
  assembler.push(view(packet));
  std::vector<KeptFrame> frames;
  drain(assembler, frames);
  return frames;
}

}  // namespace runnel::frames
