// The audio that a client publishes, as RTP packets on one time line.
#pragma once

#include <cstdint>

#include "core/base/bytes.h"
#include "core/voice/output.h"
#include "core/voice/session.h"

namespace runnel::voice {

/// Numbers packets and gives them timestamps: audio follows audio, until there is a gap, which
/// moves the timestamps on and sets the marker, as the first packet does (RFC 3551 §4.1).
class SpokenAudio {
 public:
  explicit SpokenAudio(const Options& options) noexcept;

  /// The next audio belongs at `position`, in samples from the beginning, if that is at least
  /// `tolerance` samples behind the end of what was spoken so far; otherwise at that end.
  void move_to(std::uint64_t position, std::uint64_t tolerance) noexcept;
  /// One packet, or as many of kUsualSamples as are needed when it would be too long.
  void append(ByteView audio, Output& output);

 private:
  std::uint8_t payload_type_;
  std::uint32_t ssrc_;
  std::uint16_t sequence_number_;
  std::uint32_t first_timestamp_;
  std::uint64_t position_ = 0;  // of the next sample
  bool after_gap_ = true;
};

}  // namespace runnel::voice
