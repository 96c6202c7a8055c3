// Complete encoded frames, in order, out of the RTP packets of one track.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/frames/depacketizer.h"
#include "core/frames/format.h"
#include "core/frames/frame.h"
#include "core/frames/media_time.h"
#include "core/frames/reorder_buffer.h"
#include "core/rtp/codec.h"
#include "core/rtp/rtp_packet.h"

namespace runnel::frames {

struct AssemblerOptions {
  /// A longer frame is dropped. Bytes as they would be delivered.
  std::size_t max_frame_size = 4 * 1024 * 1024;
  /// A missing packet is waited for until a packet this much newer has come, 1 to 1024 packets,
  std::uint16_t reorder_window = 64;
  /// or one whose media time is this much later. Milliseconds.
  std::uint32_t reorder_ms = 200;
};

struct AssemblerStatistics {
  std::uint64_t frames = 0;              // delivered
  std::uint64_t lost_packets = 0;        // never came, or too late
  std::uint64_t late_packets = 0;        // came after they were given up, or twice
  std::uint64_t broken_frames = 0;       // dropped: a packet missing or malformed
  std::uint64_t oversized_frames = 0;    // dropped: longer than max_frame_size
  std::uint64_t undecodable_frames = 0;  // dropped: waiting for a key frame
};

/// Feed it with the packets of one track (one SSRC; sequence numbers may be reordered) and call
/// next() after each push() until it answers nullopt. What is delivered is whole: a frame of which
/// a packet is missing, or whose payloads do not hold together, is dropped, and in video whatever
/// follows it until the next key frame (unless nothing depended on it). Video begins with a key
/// frame. Memory is bounded by max_frame_size, and by what reorder_window packets carry; buffers
/// are kept, so that nothing is allocated once they are warm.
class FrameAssembler {
 public:
  /// `supports(codec)` must be true.
  explicit FrameAssembler(const rtp::Codec& codec, AssemblerOptions options = {});

  /// Copies what it needs of the packet.
  void push(const rtp::RtpPacketView& packet);
  /// The next whole frame; its bytes are valid until the next call of any non-const function.
  [[nodiscard]] std::optional<EncodedFrame> next();
  /// Gives up what is missing: the packets already here are all there will be (the caller's
  /// patience has ended, or the stream). Call next() afterwards.
  void flush() noexcept { flushing_ = true; }
  /// What comes next does not go on with what came before, though its numbers may: the frame that
  /// has begun is dropped, and video goes on with a key frame. Time goes on.
  void lose() noexcept;
  /// Forgets everything but the statistics; as for another source. `timestamp_us` is what the time
  /// of the next packet will be called: give each track the time since a common origin, and they
  /// are in step.
  void reset(std::uint64_t timestamp_us = 0) noexcept;

  /// Whether nothing will be delivered before a key frame comes.
  [[nodiscard]] bool waiting_for_key_frame() const noexcept { return waiting_for_key_frame_; }
  /// Packets held behind a missing one.
  [[nodiscard]] std::size_t held_packets() const noexcept { return packets_.size(); }
  [[nodiscard]] const AssemblerStatistics& statistics() const noexcept { return statistics_; }

 private:
  static constexpr std::uint64_t kAnyNumber = ~std::uint64_t{0};

  /// The frame that is being put together; what there is of it lies in bytes_.
  struct Building {
    bool begun = false;
    bool broken = false;
    bool oversized = false;
    RtpTime timestamp;
    std::uint64_t timestamp_us = 0;
    PacketRole role;
  };

  [[nodiscard]] bool take_packet(const HeldPacket& packet);
  void skip_gap(std::uint64_t missing) noexcept;
  void begin_frame(const HeldPacket& packet) noexcept;
  void append(const HeldPacket& packet);
  [[nodiscard]] bool finish_frame() noexcept;
  [[nodiscard]] EncodedFrame deliver() noexcept;
  void lose_reference() noexcept;

  Format format_;
  AssemblerOptions options_;
  ReorderBuffer packets_;
  Depacketizer depacketizer_;
  MediaTime time_;
  Building building_;
  std::vector<std::uint8_t> bytes_;
  bool flushing_ = false;
  bool waiting_for_key_frame_;
  bool discontinuity_ = false;
  std::uint64_t missing_before_ = kAnyNumber;  // packets just before the one in front
  bool marker_before_ = true;                  // of the packet before those
  AssemblerStatistics statistics_;
};

}  // namespace runnel::frames
