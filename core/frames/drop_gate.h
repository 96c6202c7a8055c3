// Lets the media of one track through to one slow reader, or drops it so that what gets through can
// be decoded: whole frames, and after a gap nothing but a key frame.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "core/frames/format.h"
#include "core/frames/frame.h"
#include "core/frames/key_frame.h"
#include "core/rtp/rtp_packet.h"

namespace runnel::frames {

enum class GateDrop : std::uint8_t {
  no_room,                // the reader is too slow: a frame that was not begun, or an audio packet
  unfinished_frame,       // the rest of a frame for which even the reserve did not suffice
  waiting_for_key_frame,  // cannot be decoded since something before it was dropped
  waiting_for_layer,      // the same, for the upper temporal layers alone
  late,                   // of a frame so old that its fate is forgotten
  count_
};
inline constexpr std::size_t kGateDropCount = static_cast<std::size_t>(GateDrop::count_);
[[nodiscard]] std::string_view to_string(GateDrop reason) noexcept;

struct GateDecision {
  /// Empty: send it.
  std::optional<GateDrop> dropped;
  /// To be sent: something was dropped since the last packet or frame that was sent.
  bool discontinuity = false;
  /// A key frame would help, as there is room for one. Said once, and again when the publisher has
  /// let many frames pass without one; whoever hears it joins requests of several readers.
  bool request_key_frame = false;

  [[nodiscard]] bool send() const noexcept { return !dropped.has_value(); }
};

struct DropGateOptions {
  /// Bytes that only frames already begun, and audio, may use: a video frame is begun when there is
  /// room for the packet (or the whole frame) and for this besides; a key frame, when there is room
  /// for one as large as the last one, or half of the queue is empty.
  std::size_t reserve = 64 * 1024;
};

/// Feed it with every packet of a track, or with every frame, in the order in which they would be
/// sent; drop exactly what it says. No allocation; one per track and reader. Packets of one frame
/// share their RTP timestamp. Video of a format it cannot look into (Format::other_video) is
/// dropped by whole frames, each of which is taken for a key frame.
class DropGate {
 public:
  explicit DropGate(Format format, DropGateOptions options = {}) noexcept;

  /// `room`: bytes that still fit into the reader's queue, under its strict limit. `overhead`:
  /// bytes that travel beside the packet, such as the headers of message and WebSocket frame.
  [[nodiscard]] GateDecision packet(const rtp::RtpPacketView& packet, std::size_t room,
                                    std::size_t overhead = 16) noexcept;
  /// The same for frames from a FrameAssembler.
  [[nodiscard]] GateDecision frame(const EncodedFrame& frame, std::size_t room,
                                   std::size_t overhead = 32) noexcept;

  /// Something was lost outside of the gate: nothing but a key frame goes on from here (in audio,
  /// the next packet is marked).
  void lose() noexcept;
  /// As new, with the counters kept: for a reader that begins again, such as after a pause.
  void reset() noexcept;

  [[nodiscard]] bool waiting_for_key_frame() const noexcept { return broken_layer_ == 0; }
  [[nodiscard]] std::uint64_t dropped(GateDrop reason) const noexcept {
    return dropped_[static_cast<std::size_t>(reason)];
  }
  [[nodiscard]] std::uint64_t dropped() const noexcept;

 private:
  static constexpr std::uint8_t kNoLayer = 0xff;

  /// What became of a frame.
  struct Fate {
    bool known = false;
    bool sending = false;
    GateDrop reason = GateDrop::no_room;  // when not sending
    std::uint32_t timestamp = 0;
    std::uint16_t sequence_number = 0;  // highest so far
    std::size_t size = 0;               // of its packets so far, sent or not
    PacketRole role;
  };

  [[nodiscard]] PacketRole role_of(const rtp::RtpPacketView& packet) const noexcept;
  [[nodiscard]] GateDecision audio(std::size_t size, std::size_t room) noexcept;
  [[nodiscard]] GateDecision begin(const PacketRole& role, std::size_t size,
                                   std::size_t room) noexcept;
  [[nodiscard]] GateDecision wait(std::size_t size, std::size_t room) noexcept;
  [[nodiscard]] bool has_room(bool key_frame, std::size_t size, std::size_t room) const noexcept;
  [[nodiscard]] GateDecision go_on(Fate& fate, std::size_t size, std::size_t room) noexcept;
  [[nodiscard]] bool can_begin_late(const PacketRole& role) const noexcept;
  [[nodiscard]] bool decodable(const PacketRole& role) const noexcept;
  void mend_layers(const PacketRole& role) noexcept;
  void break_behind(const Fate& fate) noexcept;
  void break_layer(std::uint8_t layer) noexcept;
  [[nodiscard]] GateDecision send() noexcept;
  [[nodiscard]] GateDecision drop(GateDrop reason) noexcept;

  Format format_;
  DropGateOptions options_;
  bool discontinuity_ = false;
  /// The lowest temporal layer of which a frame is missing; kNoLayer when all can be decoded.
  std::uint8_t broken_layer_ = kNoLayer;
  /// Frames that have passed since a key frame was asked for, or 0.
  std::uint16_t frames_waited_ = 0;
  std::size_t key_frame_size_ = 0;  // of the last one
  std::size_t most_room_ = 0;       // of all that was offered
  Fate current_;
  Fate previous_;  // packets may be reordered across the end of a frame
  std::array<std::uint64_t, kGateDropCount> dropped_{};
};

}  // namespace runnel::frames
