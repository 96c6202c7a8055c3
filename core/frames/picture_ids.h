// The counters that VP8 and VP9 descriptors carry, and how they go on over switches of encodings.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/bytes.h"

namespace runnel::frames {

/// Where the counters lie in a payload's descriptor, and what they are. Where `at` is 0 there is
/// none: no counter stands in the first byte.
struct PictureIds {
  std::uint8_t picture_id_at = 0;
  bool long_picture_id = false;  // 15 bits in two bytes instead of 7 in one
  std::uint16_t picture_id = 0;
  std::uint8_t base_layer_index_at = 0;  // TL0PICIDX, 8 bits
  std::uint8_t base_layer_index = 0;
  std::uint8_t key_index_at = 0;  // KEYIDX of VP8, the lower 5 bits of its byte
  std::uint8_t key_index = 0;
  /// Bytes from the payload's start within which all of them lie.
  std::uint8_t size = 0;
};

/// What is added to each counter, modulo its width.
struct PictureOffsets {
  std::uint16_t picture_id = 0;
  std::uint8_t base_layer_index = 0;
  std::uint8_t key_index = 0;

  [[nodiscard]] bool empty() const noexcept { return *this == PictureOffsets(); }
  friend bool operator==(const PictureOffsets&, const PictureOffsets&) = default;
};

/// Longest PictureIds::size.
inline constexpr std::size_t kMaxPictureIdsSize = 6;

/// Adds the offsets to the counters in a copy of the payload, of which at least `ids.size` bytes
/// are there. No length changes: a counter keeps the width that it has.
void rewrite_picture_ids(ByteSpan payload, const PictureIds& ids,
                         const PictureOffsets& offsets) noexcept;

/// Makes the counters of several encodings, one after the other, one line, as one receiver sees
/// them. Within an encoding all distances stay as they are, gaps included; at a switch, the first
/// picture of the new encoding is the one after the newest so far. Encodings that write picture ids
/// of 7 and of 15 bits can follow each other: the lower 7 bits go on, and the decoder meets the
/// other width at a key frame only. Of a counter that an encoding does not have, the line is
/// remembered for the next that does.
class PictureLine {
 public:
  /// An encoding begins with the payload of `first`, from a key frame; its later pictures have
  /// later numbers. The first encoding ever keeps its own. Answers the offsets until the next one
  /// begins.
  PictureOffsets begin(const PictureIds& first) noexcept;
  [[nodiscard]] const PictureOffsets& offsets() const noexcept { return offsets_; }
  /// A packet of the present encoding goes out (with `offsets()` added).
  void sent(const PictureIds& ids) noexcept;

 private:
  // As the receiver has seen them.
  std::optional<std::uint16_t> newest_picture_id_;
  std::optional<std::uint8_t> newest_base_layer_index_;
  std::optional<std::uint8_t> newest_key_index_;
  PictureOffsets offsets_;
};

}  // namespace runnel::frames
