// The clear packets of one wake-up, kept by source medium until they have been handed to every
// receiver.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/bytes.h"
#include "core/frames/picture_ids.h"
#include "core/relay/source_line.h"
#include "core/rtp/extension_rewriter.h"

namespace runnel::relay {

/// An authenticated, decrypted RTP packet in the memory of whoever received it.
struct ClearPacket {
  ByteView bytes;
  std::uint16_t header_size = 0;
  std::uint16_t payload_size = 0;  // without padding
  LinePlace place;
  /// Which run of packets it belongs to: another SSRC, source or encoding begins another one.
  std::uint32_t run = 0;
  bool is_of_peer = false;
  bool is_event = false;  // a telephone event between the audio, under a payload type of its own
  frames::PictureIds picture_ids = {};    // of VP8 and VP9, where receivers may meet several runs
  rtp::ParsedExtensions extensions = {};  // of a source by a peer
};

/// Packets are linked by track, so that a receiver's packets of this wake-up can be walked one
/// after the other (they then leave in one run to one destination). Allocates only when a wake-up
/// brings more packets than any before it.
class Burst {
 public:
  static constexpr std::uint32_t kEnd = std::numeric_limits<std::uint32_t>::max();

  void resize_tracks(std::size_t tracks);
  /// Besides those that are in it.
  void reserve_packets(std::size_t packets) { links_.reserve(links_.size() + packets); }

  void add(std::uint32_t track, const ClearPacket& packet) noexcept;
  void clear() noexcept;

  /// Tracks that have packets, in the order of their first.
  [[nodiscard]] std::span<const std::uint32_t> tracks() const noexcept { return active_; }
  [[nodiscard]] std::uint32_t first(std::uint32_t track) const noexcept {
    return chains_[track].first;
  }
  [[nodiscard]] std::uint32_t count(std::uint32_t track) const noexcept {
    return chains_[track].count;
  }
  /// The latest timestamp of its packets, on their line.
  [[nodiscard]] RtpTime newest(std::uint32_t track) const noexcept { return chains_[track].newest; }
  [[nodiscard]] const ClearPacket& packet(std::uint32_t index) const noexcept {
    return links_[index].packet;
  }
  /// The packet of the same track that came after, or kEnd.
  [[nodiscard]] std::uint32_t next(std::uint32_t index) const noexcept {
    return links_[index].next;
  }

 private:
  struct Link {
    ClearPacket packet;
    std::uint32_t next = kEnd;
  };
  struct Chain {
    std::uint32_t first = kEnd;
    std::uint32_t last = kEnd;
    std::uint32_t count = 0;
    RtpTime newest;
  };
  std::vector<Link> links_;
  std::vector<Chain> chains_;          // by track
  std::vector<std::uint32_t> active_;  // tracks with a chain
};

}  // namespace runnel::relay
