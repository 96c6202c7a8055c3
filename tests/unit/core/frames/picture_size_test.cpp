#include "core/frames/picture_size.h"

#include <random>
#include <string_view>

#include <gtest/gtest.h>

#include "core/frames/bit_reader.h"
#include "tests/unit/core/frames/vectors.h"

namespace runnel::frames {
namespace {

Bytes hex(std::string_view text) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : c - 'a' + 10; };
  Bytes bytes;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    bytes.push_back(static_cast<std::uint8_t>(digit(text[i]) << 4 | digit(text[i + 1])));
  }
  return bytes;
}

Bytes operator+(Bytes a, const Bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// A parameter set, sequence header or frame of FFmpeg's encoders.
struct Known {
  std::uint32_t width, height;
  const char* bytes;
};

const Known kH264[] = {
    {854, 480, "6742c01fda0360f79bc044000003000400000300f03c60ca80"},
    {1920, 1080, "6742c028da01e0089f970110000003001000000303c0f1832a"},
    {322, 242, "67f4000d91968150878f8fc044000003000400000300f03c50aa80"},  // 4:4:4
    {322, 242, "677a000dbcb40a843c447e0220000003002000000781e28554"},      // 4:2:2
    {322, 242, "676e000da6cb40a843c4446022000003000200000300781e285540"},  // 10 bits
    {720, 576, "6764001facd940b424d80880000003008000001e0f8b16cb"},        // interlaced
    {318, 178, "6742c00dda05067a88c044000003000400000300f03c50aa80"},      // odd macroblocks
    {640, 360, "6764001eacd940a02ff970110000030001000003003c0f162d96"},
};

const Known kH265[] = {
    {854, 480,
     "42010101600000030090000003000003005aa006c201e1cde595952930bc05a020000003002000000303c1"},
    {1920, 1080,
     "420101016000000300900000030000030078a003c0801107cb965654a4c2f0168080000003008000000f04"},
    {322, 242,
     "4201010408000003009e0800000300003c9001510080e3e3f2caca94985e02d010000003001000000301e080"},
    {322, 242,
     "4201010408000003009d0800000300003cb00a880407111ed965654a4c2f016808000003000800000300f040"},
    {176, 144,  // two temporal layers
     "42010201600000030090000003000003003c0000a01620245965652b2a5261780b4040000003004000000782"},
};

TEST(PictureSize, OfVp8IsThatOfItsKeyFrames) {
  const Bytes frame = hex("30f3009d012a5603e0010187");
  EXPECT_EQ(picture_size(Format::vp8, hex("10") + frame), (PictureSize{854, 480}));
  EXPECT_EQ(picture_size(Format::vp8, hex("90e0923456a0") + frame), (PictureSize{854, 480}));
  EXPECT_FALSE(picture_size(Format::vp8, hex("00") + frame)) << "not the first packet";
  EXPECT_FALSE(picture_size(Format::vp8, hex("1031f3009d012a5603e001"))) << "no key frame";
  EXPECT_FALSE(picture_size(Format::vp8, hex("1030f3009d012b5603e001"))) << "no start code";
  EXPECT_FALSE(picture_size(Format::vp8, hex("1030f3009d012a0000e001"))) << "no width";
  // The scale in the upper two bits is not part of the size.
  EXPECT_EQ(picture_size(Format::vp8, hex("1030f3009d012a5643e081")), (PictureSize{854, 480}));
}

TEST(PictureSize, OfVp9IsThatOfItsUncompressedHeader) {
  const Known known[] = {{854, 480, "824983420035501df60638241c184a10"},
                         {322, 242, "a249834200028201e2c0c70483830940"},   // 4:4:4
                         {322, 242, "92498342000a08078b031c120e0c2c00"},   // 10 bits
                         {322, 242, "b124c1a14200a08078b031c120e0c2e0"},   // 4:2:2, 12 bits
                         {322, 242, "a2498342e014100f160638241c184a00"}};  // RGB
  for (const Known& each : known) {
    const PictureSize size{each.width, each.height};
    EXPECT_EQ(picture_size(Format::vp9, hex("889234") + hex(each.bytes)), size);
    EXPECT_EQ(picture_size(Format::vp9, hex("08") + hex(each.bytes)), size) << "no picture id";
    EXPECT_FALSE(picture_size(Format::vp9, hex("809234") + hex(each.bytes))) << "not the first";
    EXPECT_FALSE(picture_size(Format::vp9, hex("c89234") + hex(each.bytes))) << "predicted";
  }
  EXPECT_FALSE(picture_size(Format::vp9, hex("08864983420035501df606"))) << "no key frame";
}

TEST(PictureSize, OfVp9IsThatOfTheLargestSpatialLayer) {
  // Picture id, layers and TL0PICIDX; three layers with sizes: 320x180, 640x360, 1280x720.
  EXPECT_EQ(picture_size(Format::vp9,
                         hex("aa9234000050014000b402800168050002d0") + hex("824983420035501df606")),
            (PictureSize{1280, 720}));
  // A structure without sizes.
  EXPECT_EQ(picture_size(Format::vp9, hex("8a923400") + hex("824983420035501df6063824")),
            (PictureSize{854, 480}));
}

TEST(PictureSize, OfH264IsThatOfItsParameterSetAfterCropping) {
  for (const Known& known : kH264) {
    SCOPED_TRACE(known.bytes);
    EXPECT_EQ(picture_size(Format::h264, hex(known.bytes)),
              (PictureSize{known.width, known.height}));
  }
  EXPECT_FALSE(picture_size(Format::h264, hex("6588"))) << "a slice";
  EXPECT_FALSE(picture_size(Format::h265, hex(kH264[0].bytes)));
}

/// Bytes from the digits 0 and 1; blanks part the fields.
Bytes bits(std::string_view text) {
  Bytes bytes;
  std::size_t count = 0;
  for (const char c : text) {
    if (c == ' ') continue;
    if (count++ % 8 == 0) bytes.push_back(0);
    bytes.back() = static_cast<std::uint8_t>(bytes.back() | (c - '0') << ((8 - count % 8) % 8));
  }
  return bytes;
}

TEST(PictureSize, OfH264IsFoundBehindScalingListsAndTheRarePictureOrderCount) {
  // Profile 100, 4:2:0; a whole list, one that ends at once, six absent; pic_order_cnt_type 1 with
  // a cycle of two; 20 by 12 macroblocks, of which 12 lines are cropped.
  const Bytes payload =
      hex("67640014") + bits(
                            "1 010 1 1 0 1  1 1111111111111111  1 000010001  000000  1"
                            "010 0 1 1 011 1 1  010 0  000010100 0001100 1 1  1 1 1 1 00111 1");
  EXPECT_EQ(picture_size(Format::h264, payload), (PictureSize{320, 180}));
}

TEST(PictureSize, OfH264IsFoundInAnAggregationPacket) {
  const Bytes parameters = hex(kH264[0].bytes);
  const Bytes packet = hex("1800020910") + Bytes{0, static_cast<std::uint8_t>(parameters.size())} +
                       parameters + hex("000468ce3c80");
  EXPECT_EQ(picture_size(Format::h264, packet), (PictureSize{854, 480}));
  EXPECT_FALSE(picture_size(Format::h264, hex("1800020910000468ce3c80")));
}

TEST(PictureSize, OfH265IsThatOfItsParameterSetAfterCropping) {
  for (const Known& known : kH265) {
    SCOPED_TRACE(known.bytes);
    EXPECT_EQ(picture_size(Format::h265, hex(known.bytes)),
              (PictureSize{known.width, known.height}));
  }
  Bytes upper_layer = hex(kH265[0].bytes);
  upper_layer[1] |= 0x08;
  EXPECT_FALSE(picture_size(Format::h265, upper_layer));
}

TEST(PictureSize, OfAv1IsThatOfItsSequenceHeader) {
  const Known known[] = {{854, 480, "0a0b00000024c6abdf36be4010"},
                         {1920, 1080, "0a0b00000042abbfc373efe401"},
                         {64, 98, "0a0a20000002b7f84daf9420"}};
  for (const Known& each : known) {
    const PictureSize size{each.width, each.height};
    const Bytes unit = hex(each.bytes);
    const Bytes element = Bytes{0x08} + Bytes(unit.begin() + 2, unit.end());
    const Bytes length = {static_cast<std::uint8_t>(element.size())};
    // W 1, N: alone; W 0: with its length, before another OBU; W 2 with Z: behind the rest of one.
    EXPECT_EQ(picture_size(Format::av1, hex("18") + element), size);
    EXPECT_EQ(picture_size(Format::av1, hex("08") + length + element + hex("023000")), size);
    EXPECT_EQ(picture_size(Format::av1, hex("a0") + hex("020800") + element), size);
    EXPECT_FALSE(picture_size(Format::av1, hex("98") + element)) << "the rest of another OBU";
  }
  EXPECT_FALSE(picture_size(Format::av1, hex("103000")));
  // A still picture with the reduced header: 5 bits of level, then 4 + 4 bits of widths of 7 bits.
  EXPECT_EQ(picture_size(Format::av1, hex("1808") + hex("1819bfe1")), (PictureSize{128, 98}));
}

TEST(PictureSize, OfAudioAndTheUnknownIsNotAsked) {
  EXPECT_FALSE(picture_size(Format::opus, hex("1030f3009d012a5603e001")));
  EXPECT_FALSE(picture_size(Format::other_video, hex("1030f3009d012a5603e001")));
}

TEST(PictureSize, IsFoundInTheFirstPacketsOfFfmpegsStreams) {
  const std::pair<const char*, Format> streams[] = {
      {"vp8", Format::vp8}, {"vp9", Format::vp9}, {"h264", Format::h264}, {"h265", Format::h265}};
  for (const auto& [name, format] : streams) {
    SCOPED_TRACE(name);
    std::size_t found = 0;
    for (const Bytes& packet : load_packets(name)) {
      const auto size = picture_size(format, view(packet).payload());
      if (!size) continue;
      EXPECT_EQ(*size, (PictureSize{64, 64}));
      ++found;
    }
    EXPECT_GE(found, 1u);
  }
  const Bytes unit = load_ivf("av1").at(0);
  EXPECT_EQ(picture_size(Format::av1, hex("1808") + Bytes(unit.begin() + 4, unit.end())),
            (PictureSize{64, 64}));
}

TEST(PictureSize, IsNotToldOfWhatIsCutShort) {
  const std::pair<Format, Bytes> payloads[] = {
      {Format::vp8, hex("1030f3009d012a5603e001")},
      {Format::vp9, hex("08824983420035501df606")},
      {Format::h264, hex(kH264[0].bytes)},
      {Format::h265, hex(kH265[0].bytes)},
      {Format::av1, hex("180800000024c6abdf36be40")},
  };
  for (const auto& [format, payload] : payloads) {
    // What lies behind the size may be missing.
    for (std::size_t size = 0; size <= payload.size(); ++size) {
      const Bytes cut(payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(size));
      const auto told = picture_size(format, cut);
      EXPECT_TRUE(told ? size > 8 && told->width == 854 && told->height == 480
                       : size < payload.size())
          << static_cast<int>(format) << ", " << size;
    }
  }
}

TEST(PictureSize, SurvivesAnything) {
  std::mt19937 random(10);
  for (int round = 0; round < 100'000; ++round) {
    Bytes bytes(random() % 40);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
    for (int format = 0; format <= static_cast<int>(Format::other_video); ++format) {
      const auto size = picture_size(static_cast<Format>(format), bytes);
      if (!size) continue;
      ASSERT_NE(size->width, 0u);
      ASSERT_NE(size->height, 0u);
      ASSERT_LE(size->width, 65536u);
      ASSERT_LE(size->height, 65536u);
    }
  }
}

TEST(BitReader, LeavesOutEmulationPrevention) {
  const Bytes bytes = hex("000003000003ff000003");
  BitReader reader(bytes, BitReader::Escape::emulation_prevention);
  EXPECT_EQ(reader.bits(32), 0u);
  EXPECT_EQ(reader.bits(24), 0xff0000u);
  EXPECT_FALSE(reader.failed());
  reader.bit();
  EXPECT_TRUE(reader.failed());
  BitReader plain(bytes);
  EXPECT_EQ(plain.bits(24), 3u);
}

TEST(BitReader, ReadsExpGolombAsItsTableSays) {
  // H.264 table 9-2: 1, 010, 011, 00100, 00101: 0 to 4; as signed ones 0, 1, -1, 2, -2.
  const Bytes bytes = {0b10100110, 0b01000010, 0b10000000};
  BitReader reader(bytes);
  for (std::uint32_t value = 0; value < 5; ++value) EXPECT_EQ(reader.unsigned_code(), value);
  BitReader again(bytes);
  for (const std::int32_t value : {0, 1, -1, 2, -2}) EXPECT_EQ(again.signed_code(), value);
  EXPECT_FALSE(again.failed());
  again.unsigned_code();
  EXPECT_TRUE(again.failed()) << "zeros to the end";
  const Bytes zeros(20);
  BitReader endless(zeros);
  EXPECT_EQ(endless.unsigned_code(), 0u);
  EXPECT_TRUE(endless.failed()) << "more than 32 bits";
}

}  // namespace
}  // namespace runnel::frames
