#include "core/frames/picture_ids.h"

namespace runnel::frames {
namespace {

constexpr unsigned kLongMask = 0x7fff;
constexpr unsigned kShortMask = 0x7f;
constexpr unsigned kBaseLayerMask = 0xff;
constexpr unsigned kKeyIndexMask = 0x1f;

unsigned picture_id_mask(const PictureIds& ids) noexcept {
  return ids.long_picture_id ? kLongMask : kShortMask;
}

/// What is to be added to `first` for it to come after `newest`.
template <typename T>
T offset_behind(std::optional<T> newest, T first) noexcept {
  return newest ? static_cast<T>(*newest + 1 - first) : T{0};
}

/// Moves `newest` forward to `value`, of the width of `mask`, when that is newer.
template <typename T>
void advance(std::optional<T>& newest, unsigned value, unsigned mask) noexcept {
  const unsigned ahead = newest ? (value - *newest) & mask : 1;
  if (ahead != 0 && ahead <= mask / 2) newest = static_cast<T>(value & mask);
}

}  // namespace

void rewrite_picture_ids(ByteSpan payload, const PictureIds& ids,
                         const PictureOffsets& offsets) noexcept {
  if (ids.picture_id_at != 0) {
    std::uint8_t* const at = payload.data() + ids.picture_id_at;
    const unsigned id = static_cast<unsigned>(ids.picture_id + offsets.picture_id);
    if (ids.long_picture_id) {
      store_be16(at, static_cast<std::uint16_t>(0x8000 | (id & kLongMask)));
    } else {
      *at = static_cast<std::uint8_t>(id & kShortMask);
    }
  }
  if (ids.base_layer_index_at != 0) {
    payload[ids.base_layer_index_at] =
        static_cast<std::uint8_t>(ids.base_layer_index + offsets.base_layer_index);
  }
  if (ids.key_index_at != 0) {
    std::uint8_t& byte = payload[ids.key_index_at];
    const unsigned index = static_cast<unsigned>(ids.key_index + offsets.key_index);
    byte = static_cast<std::uint8_t>((byte & ~kKeyIndexMask) | (index & kKeyIndexMask));
  }
}

PictureOffsets PictureLine::begin(const PictureIds& first) noexcept {
  offsets_ = {};
  if (first.picture_id_at != 0) {
    offsets_.picture_id = offset_behind(newest_picture_id_, first.picture_id);
  }
  if (first.base_layer_index_at != 0) {
    offsets_.base_layer_index = offset_behind(newest_base_layer_index_, first.base_layer_index);
  }
  if (first.key_index_at != 0) {
    offsets_.key_index = offset_behind(newest_key_index_, first.key_index);
  }
  sent(first);
  return offsets_;
}

void PictureLine::sent(const PictureIds& ids) noexcept {
  if (ids.picture_id_at != 0) {
    advance(newest_picture_id_, static_cast<unsigned>(ids.picture_id + offsets_.picture_id),
            picture_id_mask(ids));
  }
  if (ids.base_layer_index_at != 0) {
    advance(newest_base_layer_index_,
            static_cast<unsigned>(ids.base_layer_index + offsets_.base_layer_index),
            kBaseLayerMask);
  }
  if (ids.key_index_at != 0) {
    advance(newest_key_index_, static_cast<unsigned>(ids.key_index + offsets_.key_index),
            kKeyIndexMask);
  }
}

}  // namespace runnel::frames
