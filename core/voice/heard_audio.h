// The audio that a client hears: which packets, and where on its time line.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/bytes.h"
#include "core/base/time.h"
#include "core/voice/session.h"

namespace runnel::voice {

/// Lets packets pass in order. Time is counted from `start`: from the clock for the first packet of
/// an SSRC, from RTP timestamps for those that follow.
class HeardAudio {
 public:
  explicit HeardAudio(Timestamp start) noexcept : start_(start) {}

  struct Part {
    ByteView audio;  // borrows from the packet
    std::uint64_t timestamp_ms = 0;
  };
  /// nullopt: it goes no further, and has been counted.
  [[nodiscard]] std::optional<Part> take(Timestamp now, ByteView packet, std::uint8_t payload_type,
                                         Counters& counters) noexcept;

 private:
  struct Last {
    std::uint32_t ssrc;
    std::uint16_t sequence_number;
    std::uint32_t timestamp;
    std::int64_t position;  // samples since `start_`
  };

  Timestamp start_;
  std::optional<Last> last_;
};

}  // namespace runnel::voice
