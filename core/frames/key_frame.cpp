#include "core/frames/key_frame.h"

#include <algorithm>

#include "core/frames/av1_obu.h"
#include "core/frames/nal_unit.h"
#include "core/frames/vp8_descriptor.h"
#include "core/frames/vp9_descriptor.h"

namespace runnel::frames {
namespace {

PacketRole vp8_role(ByteView payload) noexcept {
  const auto descriptor = parse_vp8(payload);
  if (!descriptor) return {};
  PacketRole role;
  role.discardable = descriptor->non_reference;
  role.temporal_layer = descriptor->temporal_layer;
  if (descriptor->layer_sync) role.layer_switch = LayerSwitch::own_layer;
  if (descriptor->begins_frame) {
    role.start = FrameStart::certain;
    role.key_frame = is_vp8_key_frame(descriptor->payload[0]);
  }
  return role;
}

PacketRole vp9_role(ByteView payload) noexcept {
  const auto descriptor = parse_vp9(payload);
  if (!descriptor) return {};
  PacketRole role;
  role.temporal_layer = descriptor->temporal_layer;
  if (descriptor->switching_up) role.layer_switch = LayerSwitch::higher;
  if (descriptor->begins_picture) {
    role.start = FrameStart::certain;
    // Senders of the shortest descriptor (FFmpeg) leave P clear in every frame. Where there is a
    // picture id, P is meant, and the payload may be encrypted end to end.
    role.key_frame = !descriptor->predicted &&
                     (descriptor->has_picture_id || is_vp9_key_frame(descriptor->payload[0]));
  }
  return role;
}

enum : std::uint8_t {
  kH264Slice = 1,
  kH264PartitionA = 2,
  kH264IdrSlice = 5,
  kH264Sei = 6,
  kH264SequenceParameters = 7,
  kH264PictureParameters = 8,
  kH264AccessUnitDelimiter = 9,
  kH264Prefix = 14,
  kH264Reserved18 = 18,
};

/// `first` is the NAL unit header, `body` what follows it (the start of it, in a fragment).
PacketRole h264_unit_role(std::uint8_t first, ByteView body) noexcept {
  const std::uint8_t type = first & 0x1f;
  const bool is_referenced = (first & 0x60) != 0;
  PacketRole role;
  switch (type) {
    case kH264Slice:
    case kH264PartitionA:
    case kH264IdrSlice:
      role.discardable = !is_referenced && type != kH264IdrSlice;
      // first_mb_in_slice is 0, which Exp-Golomb writes as a single 1.
      if (!body.empty() && (body[0] & 0x80) != 0) {
        role.start = FrameStart::possible;
        role.key_frame = type == kH264IdrSlice;
      }
      return role;
    case kH264SequenceParameters:
      return {.start = FrameStart::certain, .key_frame = true};
    case kH264AccessUnitDelimiter:
      return {.start = FrameStart::certain};
    case kH264Sei:
    case kH264PictureParameters:
      return {.start = FrameStart::possible};
    default:
      if (type >= kH264Prefix && type <= kH264Reserved18) role.start = FrameStart::possible;
      return role;
  }
}

enum : std::uint8_t {
  kH265LastNonReference = 14,
  kH265FirstIrap = 16,
  kH265LastIrap = 23,
  kH265LastSlice = 31,
  kH265VideoParameters = 32,
  kH265SequenceParameters = 33,
  kH265PictureParameters = 34,
  kH265AccessUnitDelimiter = 35,
  kH265PrefixSei = 39,
};

LayerSwitch h265_switch(std::uint8_t type) noexcept {
  if (type == 2 || type == 3) return LayerSwitch::own_and_higher;  // TSA
  if (type == 4 || type == 5) return LayerSwitch::own_layer;       // STSA
  return LayerSwitch::none;
}

/// `type` may come from an FU header; `second` is the second byte of the NAL unit header.
PacketRole h265_unit_role(std::uint8_t type, std::uint8_t second, ByteView body) noexcept {
  const int temporal_id_plus_one = second & 0x07;
  PacketRole role;
  role.temporal_layer = static_cast<std::uint8_t>(std::max(temporal_id_plus_one - 1, 0));
  if (type <= kH265LastSlice) {
    role.discardable = type <= kH265LastNonReference && type % 2 == 0;
    role.layer_switch = h265_switch(type);
    // first_slice_segment_in_pic_flag
    if (!body.empty() && (body[0] & 0x80) != 0) {
      role.start = FrameStart::possible;
      role.key_frame = type >= kH265FirstIrap && type <= kH265LastIrap;
    }
    return role;
  }
  const bool begins_sequence = type == kH265VideoParameters || type == kH265SequenceParameters;
  if (type == kH265VideoParameters || type == kH265AccessUnitDelimiter) {
    role.start = FrameStart::certain;
  } else if (begins_sequence || type == kH265PictureParameters || type == kH265PrefixSei) {
    role.start = FrameStart::possible;
  }
  role.key_frame = begins_sequence;
  return role;
}

PacketRole nal_unit_role(const NalSyntax& syntax, ByteView unit) noexcept {
  if (unit.size() < syntax.header_size) return {};
  const ByteView body = unit.subspan(syntax.header_size);
  return syntax.h265 ? h265_unit_role(syntax.type(unit), unit[1], body)
                     : h264_unit_role(unit[0], body);
}

PacketRole fragment_role(const NalSyntax& syntax, ByteView payload) noexcept {
  if (payload.size() <= syntax.header_size) return {};
  const std::uint8_t header = payload[syntax.header_size];
  if ((header & kFragmentStart) == 0) return {};
  const std::uint8_t type = header & syntax.fragment_type_mask;
  const ByteView body = payload.subspan(syntax.header_size + 1);
  return syntax.h265 ? h265_unit_role(type, payload[1], body)
                     : h264_unit_role(syntax.with_type(payload[0], type), body);
}

/// An aggregate begins a frame when its first unit may; what it holds says the rest.
PacketRole aggregate_role(const NalSyntax& syntax, ByteView payload) noexcept {
  AggregateReader units(payload.subspan(syntax.header_size));
  PacketRole whole;
  bool is_first = true;
  bool slices_discardable = false;
  while (const auto unit = units.next()) {
    const PacketRole role = nal_unit_role(syntax, *unit);
    if (is_first) {
      whole = role;
      if (role.start == FrameStart::no) return whole;
    }
    is_first = false;
    whole.start = std::max(whole.start, role.start);
    whole.key_frame |= role.key_frame;
    if (role.layer_switch != LayerSwitch::none) whole.layer_switch = role.layer_switch;
    if (unit->size() >= syntax.header_size && syntax.is_slice(syntax.type(*unit))) {
      slices_discardable = role.discardable;
    }
  }
  whole.discardable = slices_discardable;
  return whole;
}

PacketRole nal_role(const NalSyntax& syntax, ByteView payload) noexcept {
  if (payload.size() < syntax.header_size) return {};
  const std::uint8_t type = syntax.type(payload);
  if (type == syntax.aggregation_type) return aggregate_role(syntax, payload);
  if (type == syntax.fragment_type) return fragment_role(syntax, payload);
  if (type >= syntax.first_payload_type) return {};
  return nal_unit_role(syntax, payload);
}

PacketRole av1_role(ByteView payload) noexcept {
  ObuElementReader elements(payload);
  if (elements.malformed() || elements.continues()) return {};
  PacketRole role{.start = FrameStart::possible};
  if (elements.new_sequence()) return {.start = FrameStart::certain, .key_frame = true};

  // A sender that does not set N: a sequence header in front, and no other frame than a key frame
  // behind it.
  bool is_first = true;
  while (const auto element = elements.next()) {
    const auto obu = parse_obu_element(*element);
    if (!obu) break;
    if (!travels(obu->type())) continue;
    if (is_first && obu->type() == ObuType::sequence_header) {
      role = {.start = FrameStart::certain, .key_frame = true};
    }
    is_first = false;
    if (has_frame_header(*obu)) {
      role.key_frame = role.key_frame && is_key_frame_header(*obu);
      break;
    }
  }
  return role;
}

}  // namespace

PacketRole packet_role(Format format, ByteView payload) noexcept {
  if (payload.empty()) return {};
  switch (format) {
    case Format::vp8:
      return vp8_role(payload);
    case Format::vp9:
      return vp9_role(payload);
    case Format::h264:
    case Format::h265:
      return nal_role(nal_syntax(format), payload);
    case Format::av1:
      return av1_role(payload);
    case Format::other_video:
      return {};
    default:
      return {.start = FrameStart::certain, .key_frame = true};
  }
}

}  // namespace runnel::frames
