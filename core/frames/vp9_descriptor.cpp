#include "core/frames/vp9_descriptor.h"

#include "core/base/byte_reader.h"

namespace runnel::frames {
namespace {

constexpr std::uint8_t kPictureId = 0x80;
constexpr std::uint8_t kPredicted = 0x40;
constexpr std::uint8_t kLayers = 0x20;
constexpr std::uint8_t kFlexible = 0x10;
constexpr std::uint8_t kBegin = 0x08;
constexpr std::uint8_t kEnd = 0x04;
constexpr std::uint8_t kScalabilityStructure = 0x02;

constexpr std::uint8_t kLongPictureId = 0x80;
constexpr int kMaxReferences = 3;

bool skip_references(ByteReader& reader) noexcept {
  for (int i = 0; i < kMaxReferences; ++i) {
    const auto difference = reader.u8();
    if (!difference) return false;
    if ((*difference & 0x01) == 0) return true;
  }
  return false;
}

//  | N_S |Y|G|-|-|-|   then per spatial layer, if Y: width (16), height (16)
//  |      N_G      |   if G; then N_G times: | TID |U| R |-|-| and R times P_DIFF (8)
bool skip_scalability_structure(ByteReader& reader) noexcept {
  const auto first = reader.u8();
  if (!first) return false;
  const std::size_t spatial_layers = std::size_t{1} + (*first >> 5);
  if ((*first & 0x10) != 0 && !reader.take(4 * spatial_layers)) return false;
  if ((*first & 0x08) == 0) return true;
  const auto pictures = reader.u8();
  if (!pictures) return false;
  for (int i = 0; i < *pictures; ++i) {
    const auto picture = reader.u8();
    if (!picture || !reader.take((*picture >> 2) & 0x03)) return false;
  }
  return true;
}

}  // namespace

std::optional<Vp9Descriptor> parse_vp9(ByteView payload) noexcept {
  ByteReader reader(payload);
  const auto first = reader.u8();
  if (!first) return std::nullopt;
  Vp9Descriptor descriptor;
  descriptor.has_picture_id = (*first & kPictureId) != 0;
  descriptor.predicted = (*first & kPredicted) != 0;
  if (descriptor.has_picture_id) {
    const auto id = reader.u8();
    if (!id || ((*id & kLongPictureId) != 0 && !reader.u8())) return std::nullopt;
  }
  const bool flexible = (*first & kFlexible) != 0;
  std::uint8_t spatial_layer = 0;
  if ((*first & kLayers) != 0) {
    const auto layers = reader.u8();
    if (!layers || (!flexible && !reader.u8())) return std::nullopt;
    descriptor.temporal_layer = *layers >> 5;
    descriptor.switching_up = (*layers & 0x10) != 0;
    spatial_layer = (*layers >> 1) & 0x07;
  }
  if (flexible && descriptor.predicted && !skip_references(reader)) return std::nullopt;
  if ((*first & kScalabilityStructure) != 0 && !skip_scalability_structure(reader)) {
    return std::nullopt;
  }
  descriptor.begins_picture = (*first & kBegin) != 0 && spatial_layer == 0;
  descriptor.payload = reader.rest();
  if (descriptor.payload.empty()) return std::nullopt;
  return descriptor;
}

bool is_vp9_key_frame(std::uint8_t first) noexcept {
  const bool has_frame_marker = (first & 0xc0) == 0x80;
  const bool reserved_bit_follows = (first & 0x30) == 0x30;  // profile 3
  const int shown_and_type = reserved_bit_follows ? (first >> 1) & 0x03 : (first >> 2) & 0x03;
  return has_frame_marker && shown_and_type == 0;
}

void write_vp9_descriptor(std::uint8_t* out, Vp9Fragment fragment,
                          std::uint16_t picture_id) noexcept {
  out[0] = static_cast<std::uint8_t>(kPictureId | (fragment.key_frame ? 0 : kPredicted) |
                                     (fragment.begins_frame ? kBegin : 0) |
                                     (fragment.ends_frame ? kEnd : 0));
  store_be16(out + 1, static_cast<std::uint16_t>(0x8000 | picture_id));
}

}  // namespace runnel::frames
