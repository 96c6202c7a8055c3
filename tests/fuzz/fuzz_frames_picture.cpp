// Picture sizes and picture counters of any payload: nothing outside of it is read, sizes are
// possible ones, and rewritten counters are found again, moved by what was added.
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/base/check.h"
#include "core/frames/picture_size.h"
#include "core/frames/vp8_rewriter.h"
#include "core/frames/vp9_rewriter.h"

namespace {

using namespace runnel;
using frames::PictureIds;

template <typename Find>
void rewrite(const std::vector<std::uint8_t>& payload, Find find) {
  const std::optional<PictureIds> ids = find(payload);
  if (!ids) return;
  RUNNEL_CHECK(ids->size != 0 && ids->size <= payload.size());
  RUNNEL_CHECK(ids->size <= frames::kMaxPictureIdsSize);
  std::vector<std::uint8_t> descriptor(payload.begin(), payload.begin() + ids->size);
  frames::rewrite_picture_ids(descriptor, *ids,
                              {.picture_id = 77, .base_layer_index = 5, .key_index = 3});
  const std::optional<PictureIds> moved = find(descriptor);
  RUNNEL_CHECK(moved && moved->size == ids->size);
  const unsigned mask = ids->long_picture_id ? 0x7fff : 0x7f;
  if (ids->picture_id_at != 0) {
    RUNNEL_CHECK(moved->picture_id == ((ids->picture_id + 77U) & mask));
  }
  if (ids->key_index_at != 0) RUNNEL_CHECK(moved->key_index == ((ids->key_index + 3) & 0x1f));
  frames::PictureLine line;
  line.begin(*ids);
  line.begin(*moved);
  line.sent(*ids);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto format = static_cast<frames::Format>(
      data[0] % (static_cast<unsigned>(frames::Format::other_video) + 1));
  const std::vector<std::uint8_t> payload(data + 1, data + size);
  if (const auto pictures = frames::picture_size(format, payload)) {
    RUNNEL_CHECK(pictures->width >= 1 && pictures->width <= 65536);
    RUNNEL_CHECK(pictures->height >= 1 && pictures->height <= 65536);
  }
  rewrite(payload, [](ByteView bytes) { return frames::vp8_picture_ids(bytes); });
  rewrite(payload, [](ByteView bytes) { return frames::vp9_picture_ids(bytes); });
  return 0;
}
