#include "core/frames/picture_size.h"

#include "core/base/byte_reader.h"
#include "core/frames/av1_obu.h"
#include "core/frames/av1_sequence_header.h"
#include "core/frames/bit_reader.h"
#include "core/frames/nal_unit.h"
#include "core/frames/sequence_parameters.h"
#include "core/frames/vp8_descriptor.h"
#include "core/frames/vp9_descriptor.h"
#include "core/frames/vp9_rewriter.h"

namespace runnel::frames {
namespace {

std::optional<PictureSize> make_size(std::uint32_t width, std::uint32_t height) noexcept {
  if (width == 0 || height == 0) return std::nullopt;
  return PictureSize{width, height};
}

std::optional<PictureSize> vp8_size(ByteView payload) noexcept {
  const auto descriptor = parse_vp8(payload);
  if (!descriptor || !descriptor->begins_frame) return std::nullopt;
  ByteReader reader(descriptor->payload);
  const auto tag = reader.u24();
  const auto start_code = reader.u24();
  const auto sides = reader.take(4);
  if (!sides || start_code != 0x9d012aU) return std::nullopt;
  if (!is_vp8_key_frame(static_cast<std::uint8_t>(*tag >> 16))) return std::nullopt;
  // Little-endian; the upper two bits say how to scale.
  const auto side = [&](std::size_t at) {
    return static_cast<std::uint32_t>((*sides)[at] | ((*sides)[at + 1] & 0x3f) << 8);
  };
  return make_size(side(0), side(2));
}

/// The largest layer of a scalability structure, if it tells their sizes.
std::optional<PictureSize> largest_layer(ByteView structure) noexcept {
  ByteReader reader(structure);
  const auto first = reader.u8();
  if (!first || (*first & 0x10) == 0) return std::nullopt;
  std::optional<PictureSize> largest;
  for (int layers = 1 + (*first >> 5); layers != 0; --layers) {
    const auto width = reader.u16();
    const auto height = reader.u16();
    if (!height) return std::nullopt;
    if (!largest || *height > largest->height) largest = make_size(*width, *height);
  }
  return largest;
}

/// VP9's uncompressed header (VP9 specification §6.2), as far as the size.
std::optional<PictureSize> vp9_frame_size(ByteView frame) noexcept {
  constexpr std::uint32_t kSyncCode = 0x498342;
  constexpr std::uint32_t kRgb = 7;
  BitReader reader(frame);
  if (reader.bits(2) != 2) return std::nullopt;
  const std::uint32_t low = reader.bits(1);
  const std::uint32_t profile = reader.bits(1) * 2 + low;
  if (profile == 3) reader.bit();
  const bool shown_again = reader.bit();
  const bool inter_frame = reader.bit();
  reader.skip(2);  // show_frame, error_resilient_mode
  if (shown_again || inter_frame || reader.bits(24) != kSyncCode) return std::nullopt;
  if (profile >= 2) reader.bit();  // ten_or_twelve_bit
  const bool rgb = reader.bits(3) == kRgb;
  if (!rgb) reader.bit();                          // color_range
  if (profile % 2 == 1) reader.skip(rgb ? 1 : 3);  // subsampling, reserved_zero
  const std::uint32_t width = reader.bits(16) + 1;
  const std::uint32_t height = reader.bits(16) + 1;
  if (reader.failed()) return std::nullopt;
  return make_size(width, height);
}

std::optional<PictureSize> vp9_size(ByteView payload) noexcept {
  constexpr std::uint8_t kScalabilityStructure = 0x02;
  const auto descriptor = parse_vp9(payload);
  if (!descriptor || !descriptor->begins_picture || descriptor->predicted) return std::nullopt;
  // Without P there are no references: the structure follows the counters.
  if ((payload[0] & kScalabilityStructure) != 0) {
    const auto ids = vp9_picture_ids(payload);
    if (const auto size = ids ? largest_layer(payload.subspan(ids->size)) : std::nullopt) {
      return size;
    }
  }
  return vp9_frame_size(descriptor->payload);
}

std::optional<PictureSize> nal_unit_size(const NalSyntax& syntax, ByteView unit) noexcept {
  constexpr std::uint8_t kH264SequenceParameters = 7;
  constexpr std::uint8_t kH265SequenceParameters = 33;
  if (unit.size() <= syntax.header_size) return std::nullopt;
  const ByteView body = unit.subspan(syntax.header_size);
  const std::uint8_t type = syntax.type(unit);
  if (!syntax.h265) {
    return type == kH264SequenceParameters ? h264_picture_size(body) : std::nullopt;
  }
  const bool base_layer = (unit[0] & 0x01) == 0 && (unit[1] & 0xf8) == 0;
  return type == kH265SequenceParameters && base_layer ? h265_picture_size(body) : std::nullopt;
}

std::optional<PictureSize> nal_size(const NalSyntax& syntax, ByteView payload) noexcept {
  if (payload.size() < syntax.header_size) return std::nullopt;
  if (syntax.type(payload) != syntax.aggregation_type) return nal_unit_size(syntax, payload);
  AggregateReader units(payload.subspan(syntax.header_size));
  while (const auto unit = units.next()) {
    if (const auto size = nal_unit_size(syntax, *unit)) return size;
  }
  return std::nullopt;
}

std::optional<PictureSize> av1_size(ByteView payload) noexcept {
  ObuElementReader elements(payload);
  if (elements.continues() && !elements.next()) return std::nullopt;
  while (const auto element = elements.next()) {
    const auto obu = parse_obu_element(*element);
    if (obu && obu->type() == ObuType::sequence_header) return av1_picture_size(obu->payload);
  }
  return std::nullopt;
}

}  // namespace

std::optional<PictureSize> picture_size(Format format, ByteView payload) noexcept {
  switch (format) {
    case Format::vp8:
      return vp8_size(payload);
    case Format::vp9:
      return vp9_size(payload);
    case Format::h264:
    case Format::h265:
      return nal_size(nal_syntax(format), payload);
    case Format::av1:
      return av1_size(payload);
    default:
      return std::nullopt;
  }
}

}  // namespace runnel::frames
