#include "core/voice/heard_audio.h"

#include <algorithm>

#include "core/rtp/rtp_packet.h"
#include "core/voice/samples.h"

namespace runnel::voice {

std::optional<HeardAudio::Part> HeardAudio::take(Timestamp now, ByteView packet,
                                                 std::uint8_t payload_type,
                                                 Counters& counters) noexcept {
  const auto rtp = rtp::RtpPacketView::parse(packet);
  if (!rtp || rtp->payload_type() != payload_type || rtp->payload().empty()) {
    ++counters.other_payload_type;
    return std::nullopt;
  }
  const std::uint32_t timestamp = rtp->timestamp().value;
  const bool is_same_source = last_ && last_->ssrc == rtp->ssrc();
  const auto ahead = static_cast<std::int16_t>(rtp->sequence_number() -
                                               (is_same_source ? last_->sequence_number : 0));
  if (is_same_source && ahead <= 0) {
    ++counters.late_packets;
    return std::nullopt;
  }
  std::int64_t position =
      is_same_source ? last_->position + static_cast<std::int32_t>(timestamp - last_->timestamp)
                     : (now - start_) / kSampleTime;
  position = std::max(position, last_ ? last_->position : 0);
  last_ = Last{rtp->ssrc(), rtp->sequence_number(), timestamp, position};
  return Part{rtp->payload(), static_cast<std::uint64_t>(position) / kSamplesPerMillisecond};
}

}  // namespace runnel::voice
