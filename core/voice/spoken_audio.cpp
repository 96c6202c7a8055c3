#include "core/voice/spoken_audio.h"

#include <algorithm>

#include "core/voice/samples.h"

namespace runnel::voice {

SpokenAudio::SpokenAudio(const Options& options) noexcept
    : payload_type_(options.payload_type),
      ssrc_(options.ssrc),
      sequence_number_(options.first_sequence_number),
      first_timestamp_(options.first_timestamp.value) {}

void SpokenAudio::move_to(std::uint64_t position, std::uint64_t tolerance) noexcept {
  if (position < position_ || position - position_ < tolerance) return;
  position_ = position;
  after_gap_ = true;
}

void SpokenAudio::append(ByteView audio, Output& output) {
  const std::size_t longest = audio.size() > kMaxPacketSamples ? kUsualSamples : kMaxPacketSamples;
  while (!audio.empty()) {
    const ByteView payload = audio.first(std::min(audio.size(), longest));
    rtp::RtpHeader header;
    header.marker = after_gap_;
    header.payload_type = payload_type_;
    header.sequence_number = sequence_number_++;
    header.timestamp = {first_timestamp_ + static_cast<std::uint32_t>(position_)};
    header.ssrc = ssrc_;
    output.packets.emplace_back(header, payload);
    after_gap_ = false;
    position_ += payload.size();
    audio = audio.subspan(payload.size());
  }
}

}  // namespace runnel::voice
