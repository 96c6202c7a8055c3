// RTP packets out of whole encoded frames, for publishers that have no packets of their own.
#pragma once

#include <cstdint>
#include <expected>

#include "core/base/bytes.h"
#include "core/base/time.h"
#include "core/frames/format.h"
#include "core/frames/payload_writer.h"
#include "core/rtp/codec.h"
#include "core/rtp/rtp_packet.h"

namespace runnel::frames {

inline constexpr std::size_t kMinPacketSize = 64;
inline constexpr std::size_t kMaxPacketSize = 65535;

struct PacketizerOptions {
  std::uint32_t ssrc = 0;
  std::uint8_t payload_type = 96;
  /// Of the first packet, and of timestamp_us = 0 (RFC 3550 §5.1 wants both random).
  std::uint16_t first_sequence_number = 0;
  RtpTime first_timestamp = {};
  /// Of the first frame of VP8 or VP9; 15 bits.
  std::uint16_t first_picture_id = 0;
  /// Longest RTP packet, header included; from kMinPacketSize to kMaxPacketSize.
  std::size_t max_packet_size = 1200;
};

/// begin() with a frame, then next() until it answers 0:
///
///   VP8, VP9     with a 15-bit picture id; VP9 in non-flexible mode
///   H.264/H.265  one NAL unit in a packet; non-VCL NAL units that follow one another (parameter
///                sets) in one aggregation packet; FUs for what is too long (packetization-mode=1)
///   AV1          OBU elements, filling each packet
///   audio        one packet
///
/// The last packet of a video frame has the marker bit. Never allocates.
class FramePacketizer {
 public:
  /// `supports(codec)` must be true.
  explicit FramePacketizer(const rtp::Codec& codec, PacketizerOptions options = {}) noexcept;

  /// `frame` as frame.h says for its format (start codes of three bytes are fine as well), borrowed
  /// until next() answers 0 or begin() is called again; what was not taken by next() is lost.
  /// `timestamp_us` is the presentation time; `key_frame` is believed. After an error nothing is to
  /// be sent, and no number is used up.
  [[nodiscard]] std::expected<void, PacketizerError> begin(ByteView frame, bool key_frame,
                                                           std::uint64_t timestamp_us) noexcept;
  /// Writes the next packet and answers its size; 0 when there is none. `out` must have room for
  /// max_packet_size bytes.
  [[nodiscard]] std::size_t next(ByteSpan out) noexcept;

  [[nodiscard]] std::uint16_t next_sequence_number() const noexcept { return sequence_number_; }

 private:
  Format format_;
  std::uint32_t clock_rate_;
  PacketizerOptions options_;
  PayloadWriter writer_;
  std::uint16_t sequence_number_;
  RtpTime timestamp_;
};

}  // namespace runnel::frames
