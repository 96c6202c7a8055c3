#include "core/frames/picture_ids.h"

#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include "core/frames/vp8_descriptor.h"
#include "core/frames/vp8_rewriter.h"
#include "core/frames/vp9_descriptor.h"
#include "core/frames/vp9_rewriter.h"
#include "tests/unit/core/frames/vectors.h"

namespace runnel::frames {
namespace {

TEST(Vp8PictureIds, AreFoundInDescriptorsOfEveryForm) {
  // X; I L T K; picture id 0x1234 (15 bits); TL0PICIDX 0x56; TID 1, KEYIDX 0x19.
  const Bytes full = {0x90, 0xf0, 0x92, 0x34, 0x56, 0x59, 0xaa};
  auto ids = vp8_picture_ids(full);
  ASSERT_TRUE(ids);
  EXPECT_EQ(ids->picture_id_at, 2);
  EXPECT_TRUE(ids->long_picture_id);
  EXPECT_EQ(ids->picture_id, 0x1234);
  EXPECT_EQ(ids->base_layer_index, 0x56);
  EXPECT_EQ(ids->key_index, 0x19);
  EXPECT_EQ(ids->size, kMaxPictureIdsSize);

  ids = vp8_picture_ids(Bytes{0x90, 0x80, 0x12, 0xaa});
  EXPECT_FALSE(ids->long_picture_id);
  EXPECT_EQ(ids->picture_id, 0x12);
  EXPECT_EQ(ids->base_layer_index_at, 0);
  EXPECT_EQ(ids->key_index_at, 0);
  EXPECT_EQ(ids->size, 3);

  ids = vp8_picture_ids(Bytes{0x90, 0x20, 0x59, 0xaa});  // T alone: no KEYIDX
  EXPECT_EQ(ids->key_index_at, 0);
  EXPECT_EQ(ids->size, 3);
  ids = vp8_picture_ids(Bytes{0x10, 0xaa});
  EXPECT_EQ(ids->picture_id_at, 0);
  EXPECT_EQ(ids->size, 1);
}

TEST(Vp9PictureIds, AreFoundInDescriptorsOfEveryForm) {
  // I L, not F: picture id, layers, TL0PICIDX.
  auto ids = vp9_picture_ids(Bytes{0xa8, 0x92, 0x34, 0x21, 0x56, 0xaa});
  ASSERT_TRUE(ids);
  EXPECT_EQ(ids->picture_id, 0x1234);
  EXPECT_EQ(ids->base_layer_index_at, 4);
  EXPECT_EQ(ids->base_layer_index, 0x56);
  EXPECT_EQ(ids->size, 5);
  // F: no TL0PICIDX; references follow.
  ids = vp9_picture_ids(Bytes{0xf8, 0x12, 0x21, 0x02, 0xaa});
  EXPECT_EQ(ids->picture_id, 0x12);
  EXPECT_EQ(ids->base_layer_index_at, 0);
  EXPECT_EQ(ids->size, 3);
  ids = vp9_picture_ids(Bytes{0x08, 0xaa});
  EXPECT_EQ(ids->picture_id_at, 0);
  EXPECT_EQ(ids->size, 1);
}

TEST(PictureIds, AreNotFoundInWhatIsCutShort) {
  const Bytes vp8 = {0x90, 0xf0, 0x92, 0x34, 0x56, 0x59};
  const Bytes vp9 = {0xa8, 0x92, 0x34, 0x21, 0x56};
  for (std::size_t size = 0; size < vp8.size(); ++size) {
    const Bytes cut(vp8.begin(), vp8.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(vp8_picture_ids(cut)) << size;
  }
  for (std::size_t size = 0; size < vp9.size(); ++size) {
    const Bytes cut(vp9.begin(), vp9.begin() + static_cast<std::ptrdiff_t>(size));
    EXPECT_FALSE(vp9_picture_ids(cut)) << size;
  }
  EXPECT_TRUE(vp8_picture_ids(vp8));
  EXPECT_TRUE(vp9_picture_ids(vp9));
}

TEST(PictureIds, WrapWithinTheirWidthAndLeaveAllOtherBits) {
  Bytes payload = {0x90, 0xf0, 0xff, 0xff, 0xff, 0x7f, 0xaa};
  rewrite_picture_ids(payload, *vp8_picture_ids(payload), {1, 2, 3});
  EXPECT_EQ(payload, (Bytes{0x90, 0xf0, 0x80, 0x00, 0x01, 0x62, 0xaa}));
  payload = {0x90, 0x80, 0x7f, 0xaa};
  rewrite_picture_ids(payload, *vp8_picture_ids(payload), {0x4002, 0, 0});
  EXPECT_EQ(payload, (Bytes{0x90, 0x80, 0x01, 0xaa}));
  payload = {0xa8, 0x92, 0x34, 0x21, 0x56, 0xaa};
  rewrite_picture_ids(payload, *vp9_picture_ids(payload), {1, 1, 1});
  EXPECT_EQ(payload, (Bytes{0xa8, 0x92, 0x35, 0x21, 0x57, 0xaa}));
}

TEST(PictureIds, LieBeforeTheFramesBytesInStreamsOfFfmpeg) {
  for (const auto& bytes : load_packets("vp8")) {
    const ByteView payload = view(bytes).payload();
    const auto ids = vp8_picture_ids(payload);
    ASSERT_TRUE(ids);
    EXPECT_EQ(ids->size + parse_vp8(payload)->payload.size(), payload.size());
  }
  for (const auto& bytes : load_packets("vp9")) {
    ASSERT_TRUE(vp9_picture_ids(view(bytes).payload()));
  }
}

/// VP8's full descriptor, or one with a 7-bit picture id.
Bytes descriptor(std::uint32_t picture, std::uint32_t base, std::uint32_t key,
                 bool long_id = true) {
  if (!long_id) {
    return {0x90, 0xf0, static_cast<std::uint8_t>(picture & 0x7f), static_cast<std::uint8_t>(base),
            static_cast<std::uint8_t>(key & 0x1f)};
  }
  return {0x90,
          0xf0,
          static_cast<std::uint8_t>(0x80 | ((picture >> 8) & 0x7f)),
          static_cast<std::uint8_t>(picture),
          static_cast<std::uint8_t>(base),
          static_cast<std::uint8_t>(key & 0x1f)};
}

PictureIds ids(std::uint32_t picture, std::uint32_t base, std::uint32_t key, bool long_id = true) {
  return vp8_picture_ids(descriptor(picture, base, key, long_id)).value();
}

TEST(PictureLine, LeavesTheFirstEncodingAsItIs) {
  PictureLine line;
  EXPECT_TRUE(line.begin(ids(1000, 3, 4)).empty());
}

TEST(PictureLine, GoesOnBehindTheNewestAtASwitch) {
  PictureLine line;
  line.begin(ids(32767, 255, 31));
  line.sent(ids(1, 1, 31));  // two pictures later, through the wrap
  line.sent(ids(0, 0, 31));  // reordered
  EXPECT_EQ(line.begin(ids(500, 50, 5)),
            (PictureOffsets{static_cast<std::uint16_t>(2 - 500), static_cast<std::uint8_t>(2 - 50),
                            static_cast<std::uint8_t>(32 - 5)}));
}

TEST(PictureLine, GoesOnInTheLowerBitsWhenTheWidthOfPictureIdsChanges) {
  PictureLine line;
  line.begin(ids(1000, 0, 0));
  Bytes narrow = descriptor(5, 0, 0, false);
  rewrite_picture_ids(narrow, *vp8_picture_ids(narrow), line.begin(ids(5, 0, 0, false)));
  EXPECT_EQ(narrow[2], 1001 % 128);
  EXPECT_EQ(narrow.size(), 5u) << "no length changes";
  Bytes wide = descriptor(20'000, 0, 0);
  rewrite_picture_ids(wide, *vp8_picture_ids(wide), line.begin(ids(20'000, 0, 0)));
  EXPECT_EQ(vp8_picture_ids(wide)->picture_id, 1001 % 128 + 1);
}

TEST(PictureLine, RemembersCountersOverAnEncodingWithoutThem) {
  PictureLine line;
  line.begin(ids(1000, 7, 0));
  EXPECT_TRUE(line.begin(*vp8_picture_ids(Bytes{0x10, 0xaa})).empty());
  const PictureOffsets offsets = line.begin(ids(0, 0, 0));
  EXPECT_EQ(offsets.picture_id, 1001);
  EXPECT_EQ(offsets.base_layer_index, 8);
}

/// Encodings with counters, gaps and reordering of their own, and a receiver that is switched among
/// them: what it sees is one line, without repetition and with the gaps of each encoding.
TEST(PictureLine, IsOneLineOverAnySwitches) {
  struct Encoding {
    std::uint32_t picture, base, key;
    bool long_id;
  };
  for (const bool long_ids : {true, false}) {
    const std::uint32_t width = long_ids ? 0x8000 : 0x80;
    std::mt19937 random(9);
    const auto draw = [&](std::uint32_t below) {
      return static_cast<std::uint32_t>(random() % below);
    };
    std::vector<Encoding> encodings;
    for (int i = 0; i < 3; ++i) encodings.push_back({draw(65536), draw(256), draw(32), long_ids});
    PictureLine line;
    std::size_t current = 0;
    bool begin = true;
    std::uint64_t seen_picture = 0, seen_base = 0;  // newest of the receiver, unwrapped
    std::uint32_t sent_picture = 0, sent_base = 0;  // the same of the encoding
    for (int frame = 0; frame < 50'000; ++frame) {
      for (auto& encoding : encodings) {
        const std::uint32_t lost = draw(10) == 0 ? draw(5) : 0;
        encoding.picture += 1 + lost;
        encoding.base += 1 + lost / 2;
        encoding.key += draw(20) == 0 ? 1 : 0;
      }
      if (draw(100) == 0) {
        current = draw(3);
        begin = true;
      }
      const Encoding& encoding = encodings[current];
      Bytes payload = descriptor(encoding.picture, encoding.base, encoding.key, encoding.long_id);
      const PictureIds in = *vp8_picture_ids(payload);
      if (begin) line.begin(in);
      line.sent(in);
      rewrite_picture_ids(payload, in, line.offsets());
      const PictureIds out = *vp8_picture_ids(payload);

      const std::uint64_t step = begin ? 1 : encoding.picture - sent_picture;
      const std::uint64_t base_step = begin ? 1 : encoding.base - sent_base;
      if (frame == 0) {
        seen_picture = out.picture_id;
        seen_base = out.base_layer_index;
      } else {
        seen_picture += step;
        seen_base += base_step;
      }
      ASSERT_EQ(out.picture_id, seen_picture % width) << frame;
      ASSERT_EQ(out.base_layer_index, seen_base % 256) << frame;
      if (draw(5) == 0 && !begin)
        line.sent(ids(encoding.picture - 1, encoding.base - 1, 0, long_ids));
      sent_picture = encoding.picture;
      sent_base = encoding.base;
      begin = false;
    }
  }
}

}  // namespace
}  // namespace runnel::frames
