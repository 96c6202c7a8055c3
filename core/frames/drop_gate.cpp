#include "core/frames/drop_gate.h"

#include <algorithm>
#include <numeric>

#include "core/base/serial_number.h"

namespace runnel::frames {
namespace {

/// Two seconds at 30 frames in a second: longer than a key frame takes to come, if it comes.
constexpr std::uint16_t kFramesBetweenRequests = 60;

bool has_parameter_sets(Format format) noexcept {
  return format == Format::h264 || format == Format::h265;
}

}  // namespace

std::string_view to_string(GateDrop reason) noexcept {
  switch (reason) {
    case GateDrop::no_room:
      return "no_room";
    case GateDrop::unfinished_frame:
      return "unfinished_frame";
    case GateDrop::waiting_for_key_frame:
      return "waiting_for_key_frame";
    case GateDrop::waiting_for_layer:
      return "waiting_for_layer";
    case GateDrop::late:
      return "late";
    case GateDrop::count_:
      break;
  }
  return "unknown";
}

DropGate::DropGate(Format format, DropGateOptions options) noexcept
    : format_(format), options_(options) {}

GateDecision DropGate::packet(const rtp::RtpPacketView& packet, std::size_t room,
                              std::size_t overhead) noexcept {
  const std::size_t size = packet.bytes().size() + overhead;
  if (!is_video(format_)) return audio(size, room);
  most_room_ = std::max(most_room_, room);

  const std::uint16_t sequence_number = packet.sequence_number();
  const std::uint32_t timestamp = packet.timestamp().value;
  const PacketRole role = role_of(packet);
  if (current_.known && timestamp == current_.timestamp) {
    if (serial_after(sequence_number, current_.sequence_number)) {
      current_.sequence_number = sequence_number;
    }
    current_.size += size;
    if (can_begin_late(role)) return begin(role, size, room);
    return go_on(current_, size, room);
  }
  if (previous_.known && timestamp == previous_.timestamp) return go_on(previous_, size, room);
  // Told by the sequence number: with B pictures, timestamps go back and forth.
  if (current_.known && !serial_after(sequence_number, current_.sequence_number)) {
    return drop(GateDrop::late);
  }
  if (current_.role.key_frame) key_frame_size_ = current_.size;
  previous_ = current_;
  current_ = {};
  current_.known = true;
  current_.timestamp = timestamp;
  current_.sequence_number = sequence_number;
  current_.size = size;
  return begin(role, size, room);
}

GateDecision DropGate::frame(const EncodedFrame& frame, std::size_t room,
                             std::size_t overhead) noexcept {
  discontinuity_ |= frame.discontinuity;
  const std::size_t size = frame.bytes.size() + overhead;
  if (!is_video(format_)) return audio(size, room);
  most_room_ = std::max(most_room_, room);
  if (frame.key_frame()) key_frame_size_ = size;
  return begin(frame.role, size, room);
}

void DropGate::lose() noexcept {
  discontinuity_ = true;
  if (!is_video(format_)) return;
  break_layer(0);
  for (Fate* fate : {&current_, &previous_}) {
    if (!fate->sending) continue;
    fate->sending = false;
    fate->reason = GateDrop::unfinished_frame;
  }
}

void DropGate::reset() noexcept {
  discontinuity_ = false;
  broken_layer_ = kNoLayer;
  frames_waited_ = 0;
  key_frame_size_ = 0;
  most_room_ = 0;
  current_ = {};
  previous_ = {};
}

std::uint64_t DropGate::dropped() const noexcept {
  return std::accumulate(dropped_.begin(), dropped_.end(), std::uint64_t{0});
}

PacketRole DropGate::role_of(const rtp::RtpPacketView& packet) const noexcept {
  if (format_ == Format::other_video) return {.start = FrameStart::possible, .key_frame = true};
  return packet_role(format_, packet.payload());
}

GateDecision DropGate::audio(std::size_t size, std::size_t room) noexcept {
  return size <= room ? send() : drop(GateDrop::no_room);
}

/// Decides about a frame by its first packet, or about all of it.
GateDecision DropGate::begin(const PacketRole& role, std::size_t size, std::size_t room) noexcept {
  current_.role = role;
  current_.sending = false;
  if (!decodable(role)) return wait(size, room);
  if (!has_room(role.key_frame, size, room)) {
    current_.reason = GateDrop::no_room;
    break_behind(current_);
    return drop(GateDrop::no_room);
  }
  current_.sending = true;
  mend_layers(role);
  return send();
}

/// Whether a frame may be begun. A key frame is expected to be as large as the last one, but never
/// too large for a queue that is half empty: it may have been an exception.
bool DropGate::has_room(bool key_frame, std::size_t size, std::size_t room) const noexcept {
  const std::size_t most = most_room_ - std::min(most_room_, options_.reserve);
  const std::size_t expected = key_frame ? std::min(key_frame_size_, most / 2) : 0;
  const std::size_t needed = std::max(size, expected);
  return room >= needed && room - needed >= options_.reserve;
}

/// For what cannot be decoded since something before it was dropped.
GateDecision DropGate::wait(std::size_t size, std::size_t room) noexcept {
  current_.reason =
      broken_layer_ == 0 ? GateDrop::waiting_for_key_frame : GateDrop::waiting_for_layer;
  GateDecision decision = drop(current_.reason);
  // While there is no room a key frame would be dropped as well.
  if (broken_layer_ == 0 && has_room(true, size, room)) {
    decision.request_key_frame = frames_waited_ == 0;
    frames_waited_ = static_cast<std::uint16_t>((frames_waited_ + 1) % kFramesBetweenRequests);
  }
  return decision;
}

/// What follows from the first packet of a frame.
GateDecision DropGate::go_on(Fate& fate, std::size_t size, std::size_t room) noexcept {
  if (!fate.sending) return drop(fate.reason);
  if (size <= room) return send();
  fate.sending = false;
  fate.reason = GateDrop::unfinished_frame;
  // A key frame that has begun meanwhile needs nothing of the frame before it.
  if (&fate == &current_ || !current_.role.key_frame) break_behind(fate);
  return drop(fate.reason);
}

/// An access unit delimiter or SEI in a packet of its own does not tell that a key frame follows.
bool DropGate::can_begin_late(const PacketRole& role) const noexcept {
  return has_parameter_sets(format_) && role.key_frame && !current_.sending &&
         current_.reason == GateDrop::waiting_for_key_frame;
}

bool DropGate::decodable(const PacketRole& role) const noexcept {
  if (role.key_frame || role.temporal_layer < broken_layer_) return true;
  const bool needs_lower_layers_only = role.layer_switch == LayerSwitch::own_layer ||
                                       role.layer_switch == LayerSwitch::own_and_higher;
  return role.temporal_layer > 0 && role.temporal_layer == broken_layer_ && needs_lower_layers_only;
}

/// A frame that is sent may let upper layers go on.
void DropGate::mend_layers(const PacketRole& role) noexcept {
  if (role.key_frame || role.layer_switch == LayerSwitch::own_and_higher ||
      role.layer_switch == LayerSwitch::higher) {
    broken_layer_ = kNoLayer;
  } else if (role.layer_switch == LayerSwitch::own_layer && role.temporal_layer == broken_layer_) {
    ++broken_layer_;
  }
  if (broken_layer_ != 0) frames_waited_ = 0;
}

/// A frame is missing: whatever may need it cannot be decoded.
void DropGate::break_behind(const Fate& fate) noexcept {
  const int layer = fate.role.temporal_layer + (fate.role.discardable ? 1 : 0);
  break_layer(static_cast<std::uint8_t>(layer));
}

void DropGate::break_layer(std::uint8_t layer) noexcept {
  broken_layer_ = std::min(broken_layer_, layer);
  if (broken_layer_ == 0) frames_waited_ = 0;
}

GateDecision DropGate::send() noexcept {
  const GateDecision decision{.dropped = std::nullopt, .discontinuity = discontinuity_};
  discontinuity_ = false;
  return decision;
}

GateDecision DropGate::drop(GateDrop reason) noexcept {
  ++dropped_[static_cast<std::size_t>(reason)];
  discontinuity_ = true;
  return {.dropped = reason};
}

}  // namespace runnel::frames
