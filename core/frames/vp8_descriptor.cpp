#include "core/frames/vp8_descriptor.h"

#include "core/base/byte_reader.h"

namespace runnel::frames {
namespace {

constexpr std::uint8_t kExtended = 0x80;
constexpr std::uint8_t kNonReference = 0x20;
constexpr std::uint8_t kStart = 0x10;
constexpr std::uint8_t kPartition = 0x07;

constexpr std::uint8_t kPictureId = 0x80;
constexpr std::uint8_t kTl0PicIdx = 0x40;
constexpr std::uint8_t kTemporalLayer = 0x20;
constexpr std::uint8_t kKeyIndex = 0x10;

constexpr std::uint8_t kLongPictureId = 0x80;

/// What X announces; false when it is cut short.
bool read_extension(ByteReader& reader, Vp8Descriptor& descriptor) noexcept {
  const auto extension = reader.u8();
  if (!extension) return false;
  if ((*extension & kPictureId) != 0) {
    const auto id = reader.u8();
    if (!id || ((*id & kLongPictureId) != 0 && !reader.u8())) return false;
  }
  if ((*extension & kTl0PicIdx) != 0 && !reader.u8()) return false;
  if ((*extension & (kTemporalLayer | kKeyIndex)) == 0) return true;

  const auto layer = reader.u8();
  if (!layer) return false;
  if ((*extension & kTemporalLayer) != 0) {
    descriptor.temporal_layer = *layer >> 6;
    descriptor.layer_sync = (*layer & 0x20) != 0;
  }
  return true;
}

}  // namespace

std::optional<Vp8Descriptor> parse_vp8(ByteView payload) noexcept {
  ByteReader reader(payload);
  const auto first = reader.u8();
  if (!first) return std::nullopt;
  Vp8Descriptor descriptor;
  descriptor.begins_frame = (*first & kStart) != 0 && (*first & kPartition) == 0;
  descriptor.non_reference = (*first & kNonReference) != 0;
  if ((*first & kExtended) != 0 && !read_extension(reader, descriptor)) return std::nullopt;
  descriptor.payload = reader.rest();
  if (descriptor.payload.empty()) return std::nullopt;
  return descriptor;
}

void write_vp8_descriptor(std::uint8_t* out, bool begins_frame, std::uint16_t picture_id) noexcept {
  out[0] = begins_frame ? kExtended | kStart : kExtended;
  out[1] = kPictureId;
  store_be16(out + 2, static_cast<std::uint16_t>(0x8000 | picture_id));
}

}  // namespace runnel::frames
