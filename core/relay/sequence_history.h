// From the sequence numbers that a receiver has seen back to the source's packets.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/frames/picture_ids.h"
#include "core/rtp/sequence_unwrapper.h"

namespace runnel::relay {

/// How a run of packets went out: what is the same for all of them.
struct SequenceSegment {
  std::uint32_t track = 0;             // index of the encoding's SourceTrack
  std::uint32_t timestamp_offset = 0;  // from the encoding's line to what the receiver sees
  frames::PictureOffsets pictures = {};
};

/// For one receiver of one medium. Each start, resumption and switch of encodings begins a segment,
/// within which numbers follow line positions by a constant distance. The last kSegments are known.
class SequenceHistory {
 public:
  static constexpr std::size_t kSegments = 8;
  /// Numbers further behind the newest one than this are not found.
  static constexpr std::uint64_t kReach = 16384;

  /// From now on packets go out as `segment` says: the one at `position` of its track's line under
  /// `sequence_number`, which lies behind all numbers so far. Lower positions belong to the segment
  /// only when it is the first.
  void begin(const SequenceSegment& segment, std::uint64_t position,
             std::uint16_t sequence_number) noexcept;
  /// A number has been given to a packet.
  void sent(std::uint16_t sequence_number) noexcept {
    if (count_ != 0) line_.unwrap(sequence_number);
  }
  /// The receiver gets another SSRC.
  void forget() noexcept;

  struct Origin {
    SequenceSegment segment;
    std::uint64_t position = 0;  // on the line of segment.track
  };
  /// nullopt for what was never sent or is too long ago. A number that lies in a segment need not
  /// have been sent: its source may have lost it.
  [[nodiscard]] std::optional<Origin> find(std::uint16_t sequence_number) const noexcept;
  /// A source track is gone: its segments are no longer found.
  void forget_track(std::uint32_t track) noexcept;

 private:
  struct Entry {
    SequenceSegment segment;
    std::uint64_t first_number = 0;  // unwrapped
    std::uint64_t first_position = 0;
    bool gone = false;
  };

  rtp::SequenceUnwrapper line_;  // of the numbers sent
  std::array<Entry, kSegments> entries_{};
  std::size_t count_ = 0;
  bool first_is_known_ = true;  // no segment has been pushed out
};

}  // namespace runnel::relay
