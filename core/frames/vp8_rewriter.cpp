#include "core/frames/vp8_rewriter.h"

namespace runnel::frames {
namespace {

constexpr std::uint8_t kExtended = 0x80;
constexpr std::uint8_t kPictureId = 0x80;
constexpr std::uint8_t kTl0PicIdx = 0x40;
constexpr std::uint8_t kTemporalLayer = 0x20;
constexpr std::uint8_t kKeyIndex = 0x10;
constexpr std::uint8_t kLongPictureId = 0x80;

}  // namespace

std::optional<PictureIds> vp8_picture_ids(ByteView payload) noexcept {
  if (payload.empty()) return std::nullopt;
  PictureIds ids{.size = 1};
  if ((payload[0] & kExtended) == 0) return ids;
  if (payload.size() < 2) return std::nullopt;
  const std::uint8_t extension = payload[1];
  std::size_t at = 2;
  if ((extension & kPictureId) != 0) {
    if (payload.size() <= at) return std::nullopt;
    ids.long_picture_id = (payload[at] & kLongPictureId) != 0;
    const std::size_t width = ids.long_picture_id ? 2 : 1;
    if (payload.size() < at + width) return std::nullopt;
    ids.picture_id_at = static_cast<std::uint8_t>(at);
    ids.picture_id = ids.long_picture_id ? load_be16(payload.data() + at) & 0x7fff : payload[at];
    at += width;
  }
  if ((extension & kTl0PicIdx) != 0) {
    if (payload.size() <= at) return std::nullopt;
    ids.base_layer_index_at = static_cast<std::uint8_t>(at);
    ids.base_layer_index = payload[at++];
  }
  if ((extension & (kTemporalLayer | kKeyIndex)) != 0) {
    if (payload.size() <= at) return std::nullopt;
    if ((extension & kKeyIndex) != 0) {
      ids.key_index_at = static_cast<std::uint8_t>(at);
      ids.key_index = payload[at] & 0x1f;
    }
    ++at;
  }
  ids.size = static_cast<std::uint8_t>(at);
  return ids;
}

}  // namespace runnel::frames
