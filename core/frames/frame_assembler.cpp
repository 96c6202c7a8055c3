#include "core/frames/frame_assembler.h"

#include <algorithm>

#include "core/base/check.h"

namespace runnel::frames {
namespace {

constexpr std::uint16_t kMaxReorderWindow = 1024;

std::uint32_t wait_ticks(std::uint32_t milliseconds, std::uint32_t clock_rate) noexcept {
  // At most half the circle, which is as far as timestamps can be told apart.
  const std::uint64_t ticks = std::uint64_t{milliseconds} * clock_rate / 1000;
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(ticks, 0x7fffffff));
}

}  // namespace

FrameAssembler::FrameAssembler(const rtp::Codec& codec, AssemblerOptions options)
    : format_(format_of(codec)),
      options_(options),
      packets_(std::clamp<std::uint16_t>(options.reorder_window, 1, kMaxReorderWindow),
               wait_ticks(options.reorder_ms, codec.clock_rate)),
      depacketizer_(format_),
      time_(codec.clock_rate),
      waiting_for_key_frame_(is_video(format_)) {
  RUNNEL_CHECK(supports(codec));
}

void FrameAssembler::push(const rtp::RtpPacketView& packet) {
  if (!packets_.put(packet)) ++statistics_.late_packets;
}

std::optional<EncodedFrame> FrameAssembler::next() {
  while (true) {
    if (const auto packet = packets_.front()) {
      if (take_packet(*packet)) return deliver();
      continue;
    }
    const bool give_up = flushing_ || packets_.overdue();
    const std::uint64_t missing = give_up ? packets_.give_up() : 0;
    if (missing == 0) break;
    skip_gap(missing);
  }
  flushing_ = false;
  return std::nullopt;
}

void FrameAssembler::lose() noexcept {
  packets_.clear();
  building_ = {};
  flushing_ = false;
  discontinuity_ = true;
  missing_before_ = kAnyNumber;
  marker_before_ = true;
  lose_reference();
}

void FrameAssembler::reset(std::uint64_t timestamp_us) noexcept {
  packets_.clear();
  time_.start(timestamp_us);
  building_ = {};
  bytes_ = {};
  flushing_ = false;
  discontinuity_ = false;
  missing_before_ = kAnyNumber;
  marker_before_ = true;
  waiting_for_key_frame_ = is_video(format_);
}

/// Whether a frame is ready; the packet, if it belongs to the next one, stays in front then.
bool FrameAssembler::take_packet(const HeldPacket& packet) {
  // Packets of padding keep the numbers together and belong to no frame.
  if (packet.payload.empty()) {
    packets_.pop();
    return false;
  }
  if (building_.begun && packet.timestamp != building_.timestamp) {
    // One packet missing was the end of this frame; of more, some may have been other frames.
    if (missing_before_ > 1) lose_reference();
    if (finish_frame()) return true;
  }
  if (!building_.begun) begin_frame(packet);
  append(packet);
  missing_before_ = 0;
  marker_before_ = packet.marker;
  packets_.pop();
  return (marker_before_ || !is_video(format_)) && finish_frame();
}

void FrameAssembler::skip_gap(std::uint64_t missing) noexcept {
  statistics_.lost_packets += missing;
  discontinuity_ = true;
  missing_before_ = missing_before_ == kAnyNumber ? kAnyNumber : missing_before_ + missing;
  if (building_.begun) {
    building_.broken = true;
  } else {
    lose_reference();
  }
}

void FrameAssembler::begin_frame(const HeldPacket& packet) noexcept {
  const PacketRole role = packet_role(format_, packet.payload);
  // Where the payload does not say that it is the first, the packet before it has to.
  const bool only_the_end_is_missing = missing_before_ == 1 && !marker_before_;
  const bool is_first =
      role.start == FrameStart::certain ||
      (role.start == FrameStart::possible && (missing_before_ == 0 || only_the_end_is_missing));
  building_ = {.begun = true,
               .broken = !is_first,
               .timestamp = packet.timestamp,
               .timestamp_us = time_.at(packet.timestamp),
               .role = role};
  depacketizer_.begin();
  bytes_.clear();
}

void FrameAssembler::append(const HeldPacket& packet) {
  if (building_.broken || building_.oversized) return;
  if (format_ == Format::h264 || format_ == Format::h265) {
    // What precedes the slices does not say whether the frame is needed, or is a key frame.
    const PacketRole role = packet_role(format_, packet.payload);
    building_.role.key_frame |= role.key_frame;
    building_.role.discardable |= role.discardable;
    if (role.layer_switch != LayerSwitch::none) building_.role.layer_switch = role.layer_switch;
  }
  building_.broken = !depacketizer_.append(packet.payload, bytes_);
  building_.oversized = bytes_.size() > options_.max_frame_size;
}

bool FrameAssembler::finish_frame() noexcept {
  building_.begun = false;
  if (building_.oversized) {
    ++statistics_.oversized_frames;
  } else if (building_.broken || !depacketizer_.finish(bytes_)) {
    ++statistics_.broken_frames;
  } else if (waiting_for_key_frame_ && !building_.role.key_frame) {
    ++statistics_.undecodable_frames;
    discontinuity_ = true;
    return false;
  } else {
    return true;
  }
  discontinuity_ = true;
  if (!building_.role.discardable) lose_reference();
  return false;
}

EncodedFrame FrameAssembler::deliver() noexcept {
  waiting_for_key_frame_ = false;
  ++statistics_.frames;
  const EncodedFrame frame{.bytes = bytes_,
                           .role = building_.role,
                           .discontinuity = discontinuity_,
                           .timestamp_us = building_.timestamp_us};
  discontinuity_ = false;
  return frame;
}

void FrameAssembler::lose_reference() noexcept {
  waiting_for_key_frame_ = is_video(format_);
}

}  // namespace runnel::frames
