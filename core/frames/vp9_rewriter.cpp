#include "core/frames/vp9_rewriter.h"

namespace runnel::frames {
namespace {

constexpr std::uint8_t kPictureId = 0x80;
constexpr std::uint8_t kLayers = 0x20;
constexpr std::uint8_t kFlexible = 0x10;
constexpr std::uint8_t kLongPictureId = 0x80;

}  // namespace

std::optional<PictureIds> vp9_picture_ids(ByteView payload) noexcept {
  if (payload.empty()) return std::nullopt;
  const std::uint8_t flags = payload[0];
  PictureIds ids;
  std::size_t at = 1;
  if ((flags & kPictureId) != 0) {
    if (payload.size() <= at) return std::nullopt;
    ids.long_picture_id = (payload[at] & kLongPictureId) != 0;
    const std::size_t width = ids.long_picture_id ? 2 : 1;
    if (payload.size() < at + width) return std::nullopt;
    ids.picture_id_at = static_cast<std::uint8_t>(at);
    ids.picture_id = ids.long_picture_id ? load_be16(payload.data() + at) & 0x7fff : payload[at];
    at += width;
  }
  if ((flags & kLayers) != 0) {
    ++at;  // of the layer indices
    if ((flags & kFlexible) == 0) {
      ids.base_layer_index_at = static_cast<std::uint8_t>(at++);
    }
    if (payload.size() < at) return std::nullopt;
    if (ids.base_layer_index_at != 0) ids.base_layer_index = payload[ids.base_layer_index_at];
  }
  ids.size = static_cast<std::uint8_t>(at);
  return ids;
}

}  // namespace runnel::frames
