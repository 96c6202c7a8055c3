#include "core/frames/frame_packetizer.h"

#include "core/base/check.h"
#include "core/frames/media_time.h"

namespace runnel::frames {

FramePacketizer::FramePacketizer(const rtp::Codec& codec, PacketizerOptions options) noexcept
    : format_(format_of(codec)),
      clock_rate_(codec.clock_rate),
      options_(options),
      writer_(format_, options.first_picture_id),
      sequence_number_(options.first_sequence_number) {
  RUNNEL_CHECK(supports(codec));
  RUNNEL_CHECK(options.max_packet_size >= kMinPacketSize);
  RUNNEL_CHECK(options.max_packet_size <= kMaxPacketSize);
}

std::expected<void, PacketizerError> FramePacketizer::begin(ByteView frame, bool key_frame,
                                                            std::uint64_t timestamp_us) noexcept {
  timestamp_.value = options_.first_timestamp.value +
                     static_cast<std::uint32_t>(to_ticks(timestamp_us, clock_rate_));
  return writer_.begin(frame, key_frame, options_.max_packet_size - rtp::kFixedHeaderSize);
}

std::size_t FramePacketizer::next(ByteSpan out) noexcept {
  if (writer_.done()) return 0;
  RUNNEL_CHECK(out.size() >= options_.max_packet_size);
  const std::size_t payload_size = writer_.write(out.subspan(rtp::kFixedHeaderSize));
  const rtp::RtpHeader header{.marker = is_video(format_) && writer_.done(),
                              .payload_type = options_.payload_type,
                              .sequence_number = sequence_number_,
                              .timestamp = timestamp_,
                              .ssrc = options_.ssrc,
                              .contributing_sources = {},
                              .extension_profile = std::nullopt,
                              .extension_data = {}};
  ++sequence_number_;
  return rtp::write_header(header, out) + payload_size;
}

}  // namespace runnel::frames
