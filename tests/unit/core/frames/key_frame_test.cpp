#include "core/frames/key_frame.h"

#include <vector>

#include <gtest/gtest.h>

namespace runnel::frames {
namespace {

using Bytes = std::vector<std::uint8_t>;

constexpr PacketRole kNothing;
constexpr PacketRole kKeyFrame{.start = FrameStart::certain, .key_frame = true};

PacketRole role(Format format, const Bytes& payload) {
  return packet_role(format, payload);
}

TEST(KeyFrame, OfVp8IsToldByTheFirstByteBehindTheDescriptor) {
  EXPECT_EQ(role(Format::vp8, {0x10, 0x00}), kKeyFrame);
  EXPECT_EQ(role(Format::vp8, {0x10, 0x01}), PacketRole{.start = FrameStart::certain});
  EXPECT_EQ(role(Format::vp8, {0x00, 0x00}), kNothing) << "a continuation";
  EXPECT_EQ(role(Format::vp8, {0x11, 0x00}), kNothing) << "the second partition";
  EXPECT_EQ(role(Format::vp8, {0x30, 0x01}),
            (PacketRole{.start = FrameStart::certain, .discardable = true}));
}

TEST(KeyFrame, OfVp8IsFoundBehindEachExtension) {
  // RFC 7741 §4.2: X; I with 7 and 15 bits, L, T, K.
  EXPECT_TRUE(begins_key_frame(Format::vp8, Bytes{0x90, 0x80, 0x11, 0x00}));
  EXPECT_TRUE(begins_key_frame(Format::vp8, Bytes{0x90, 0x80, 0x81, 0x11, 0x00}));
  EXPECT_TRUE(begins_key_frame(Format::vp8, Bytes{0x90, 0x40, 0x01, 0x00}));
  EXPECT_TRUE(begins_key_frame(Format::vp8, Bytes{0x90, 0x10, 0x01, 0x00}));
  const PacketRole layered = role(Format::vp8, {0x90, 0xe0, 0x81, 0x11, 0x07, 0xa0, 0x01});
  EXPECT_EQ(layered.temporal_layer, 2);
  EXPECT_EQ(layered.layer_switch, LayerSwitch::own_layer);
  EXPECT_EQ(layered.start, FrameStart::certain);
  EXPECT_FALSE(layered.key_frame);
}

TEST(KeyFrame, OfVp9NeedsNoEarlierPicture) {
  // RFC 9628 §4.2: I, P, B.
  EXPECT_EQ(role(Format::vp9, {0x88, 0x11, 0xff}), kKeyFrame);
  EXPECT_EQ(role(Format::vp9, {0xc8, 0x11, 0xff}), PacketRole{.start = FrameStart::certain});
  EXPECT_EQ(role(Format::vp9, {0x80, 0x11, 0xff}), kNothing) << "a continuation";
  // Layers: TID 1, U, SID 0, TL0PICIDX; then the same with SID 1.
  const PacketRole layered = role(Format::vp9, {0xe8, 0x11, 0x30, 0x05, 0xff});
  EXPECT_EQ(layered.temporal_layer, 1);
  EXPECT_EQ(layered.layer_switch, LayerSwitch::higher);
  EXPECT_EQ(layered.start, FrameStart::certain);
  EXPECT_EQ(role(Format::vp9, {0xa8, 0x11, 0x02, 0x05, 0xff}), kNothing) << "an upper layer";
}

TEST(KeyFrame, OfVp9IsFoundBehindReferencesAndScalabilityStructure) {
  // Flexible mode with two P_DIFF: predicted, so no key frame.
  EXPECT_EQ(role(Format::vp9, {0xd8, 0x11, 0x03, 0x04, 0xff}).start, FrameStart::certain);
  // Two spatial layers with sizes, one picture group of one reference.
  EXPECT_EQ(role(Format::vp9, {0x8a, 0x11, 0x38, 0, 64, 0, 64, 0, 128, 0, 128, 1, 0x04, 1, 0xff}),
            kKeyFrame);
}

TEST(KeyFrame, OfVp9IsReadFromTheBitstreamWhereThereIsNoPictureId) {
  // What FFmpeg sends: B alone, P never set.
  EXPECT_EQ(role(Format::vp9, {0x08, 0x82}), kKeyFrame);
  EXPECT_EQ(role(Format::vp9, {0x08, 0x86}), PacketRole{.start = FrameStart::certain});
  EXPECT_EQ(role(Format::vp9, {0x08, 0x88}), PacketRole{.start = FrameStart::certain})
      << "an existing frame that is shown";
  EXPECT_EQ(role(Format::vp9, {0x08, 0xb0}), kKeyFrame) << "profile 3";
  EXPECT_EQ(role(Format::vp9, {0x08, 0xb2}), PacketRole{.start = FrameStart::certain});
}

TEST(KeyFrame, OfH264IsASequenceParameterSetOrTheFirstSliceOfAnIdrPicture) {
  EXPECT_EQ(role(Format::h264, {0x67, 0x42}), kKeyFrame);
  EXPECT_EQ(role(Format::h264, {0x65, 0x88}),
            (PacketRole{.start = FrameStart::possible, .key_frame = true}));
  EXPECT_EQ(role(Format::h264, {0x65, 0x20}), kNothing) << "the second slice";
  EXPECT_EQ(role(Format::h264, {0x41, 0x9a}), PacketRole{.start = FrameStart::possible});
  EXPECT_EQ(role(Format::h264, {0x01, 0x9a}),
            (PacketRole{.start = FrameStart::possible, .discardable = true}));
  EXPECT_EQ(role(Format::h264, {0x09, 0x10}), PacketRole{.start = FrameStart::certain});
  EXPECT_EQ(role(Format::h264, {0x68, 0xce}), PacketRole{.start = FrameStart::possible});
  EXPECT_EQ(role(Format::h264, {0x06, 0x05}), PacketRole{.start = FrameStart::possible});
}

TEST(KeyFrame, OfH264IsFoundInAggregatesAndFragments) {
  // STAP-A (RFC 6184 §5.7.1): delimiter, then SPS; delimiter, then a slice that nothing needs.
  EXPECT_EQ(role(Format::h264, {0x78, 0, 2, 0x09, 0x10, 0, 2, 0x67, 0x42}), kKeyFrame);
  EXPECT_EQ(role(Format::h264, {0x78, 0, 2, 0x09, 0x30, 0, 2, 0x01, 0x9a}),
            (PacketRole{.start = FrameStart::certain, .discardable = true}));
  // FU-A (§5.8): start, middle; of an IDR slice and of another.
  EXPECT_TRUE(begins_key_frame(Format::h264, Bytes{0x7c, 0x85, 0x88}));
  EXPECT_FALSE(begins_frame(Format::h264, Bytes{0x7c, 0x05, 0x88}));
  EXPECT_EQ(role(Format::h264, {0x5c, 0x81, 0x9a}), PacketRole{.start = FrameStart::possible});
  EXPECT_EQ(role(Format::h264, {0x1c, 0x81, 0x9a}),
            (PacketRole{.start = FrameStart::possible, .discardable = true}));
}

TEST(KeyFrame, OfH264IsNotSoughtInInterleavedPackets) {
  for (const std::uint8_t type : Bytes{25, 26, 27, 29, 30, 31}) {
    EXPECT_EQ(role(Format::h264, {type, 0x85, 0x88, 0x88}), kNothing) << int{type};
  }
}

TEST(KeyFrame, OfH265IsAParameterSetOrTheFirstSliceOfAnIrapPicture) {
  const auto unit = [](int type, int temporal_id, std::uint8_t body) {
    return Bytes{static_cast<std::uint8_t>(type << 1), static_cast<std::uint8_t>(temporal_id + 1),
                 body};
  };
  EXPECT_EQ(role(Format::h265, unit(32, 0, 0x0c)), kKeyFrame) << "VPS";
  EXPECT_TRUE(begins_key_frame(Format::h265, unit(33, 0, 0x01))) << "SPS";
  for (const int irap : {16, 17, 18, 19, 20, 21}) {
    EXPECT_TRUE(begins_key_frame(Format::h265, unit(irap, 0, 0xaf))) << irap;
    EXPECT_FALSE(begins_frame(Format::h265, unit(irap, 0, 0x2f))) << "not the first segment";
  }
  EXPECT_EQ(role(Format::h265, unit(1, 0, 0xd0)), PacketRole{.start = FrameStart::possible});
  const PacketRole unneeded = role(Format::h265, unit(0, 2, 0xd0));
  EXPECT_TRUE(unneeded.discardable);
  EXPECT_EQ(unneeded.temporal_layer, 2);
  EXPECT_EQ(role(Format::h265, unit(3, 1, 0xd0)).layer_switch, LayerSwitch::own_and_higher);
  EXPECT_EQ(role(Format::h265, unit(5, 1, 0xd0)).layer_switch, LayerSwitch::own_layer);
  EXPECT_EQ(role(Format::h265, unit(35, 0, 0x50)).start, FrameStart::certain) << "delimiter";
  EXPECT_EQ(role(Format::h265, unit(40, 0, 0x01)), kNothing) << "SEI behind a picture";
}

TEST(KeyFrame, OfH265IsFoundInAggregatesAndFragments) {
  // AP and FU of RFC 7798 §4.4.2 and §4.4.3.
  EXPECT_EQ(role(Format::h265, {0x60, 1, 0, 3, 0x40, 1, 0x0c, 0, 3, 0x42, 1, 0x01}), kKeyFrame);
  EXPECT_TRUE(begins_key_frame(Format::h265, Bytes{0x62, 1, 0x80 | 19, 0xaf}));
  EXPECT_FALSE(begins_frame(Format::h265, Bytes{0x62, 1, 19, 0xaf}));
  EXPECT_EQ(role(Format::h265, {0x62, 1, 0x80 | 1, 0xd0}),
            PacketRole{.start = FrameStart::possible});
}

TEST(KeyFrame, OfAv1IsToldByTheAggregationHeader) {
  EXPECT_EQ(role(Format::av1, {0x18, 0x08, 0x00}), kKeyFrame) << "N";
  EXPECT_EQ(role(Format::av1, {0x10, 0x30, 0x30}), PacketRole{.start = FrameStart::possible});
  EXPECT_EQ(role(Format::av1, {0x90, 0x30, 0x30}), kNothing) << "Z: a continuation";
}

TEST(KeyFrame, OfAv1WithoutNHasASequenceHeaderAndNoOtherFrame) {
  // W=2: sequence header, then a key frame; the same, then an inter frame.
  EXPECT_EQ(role(Format::av1, {0x20, 0x02, 0x08, 0x00, 0x30, 0x10}), kKeyFrame);
  EXPECT_EQ(role(Format::av1, {0x20, 0x02, 0x08, 0x00, 0x30, 0x30}),
            PacketRole{.start = FrameStart::certain});
  // W=0, behind a temporal delimiter that should have been left out, each with its own size field.
  EXPECT_EQ(role(Format::av1, {0x00, 0x02, 0x12, 0x00, 0x03, 0x0a, 0x01, 0x00}), kKeyFrame);
}

TEST(KeyFrame, OfAudioIsEachPacket) {
  for (const Format format : {Format::opus, Format::pcmu, Format::other_audio}) {
    EXPECT_EQ(role(format, {0x00}), kKeyFrame);
    EXPECT_EQ(role(format, {}), kNothing);
  }
}

TEST(KeyFrame, OfUnknownVideoIsNotKnown) {
  EXPECT_EQ(role(Format::other_video, {0x67, 0x42}), kNothing);
}

TEST(KeyFrame, IsNotFoundInWhatIsCutShort) {
  const std::vector<std::pair<Format, Bytes>> payloads = {
      {Format::vp8, {0x90, 0xf0, 0x81, 0x11, 0x07, 0xa0}},
      {Format::vp9, {0x8a, 0x11, 0x38, 0, 64, 0, 64, 0, 128, 0, 128, 1, 0x04, 1}},
      {Format::vp9, {0xd8, 0x11, 0x03, 0x05, 0x05}},
      {Format::h264, {0x78, 0, 9}},
      {Format::h264, {0x7c, 0x05}},
      {Format::h265, {0x62, 1}},
      {Format::h265, {0x40}},
      {Format::av1, {0x18}},
  };
  for (const auto& [format, payload] : payloads) {
    for (std::size_t size = 0; size <= payload.size(); ++size) {
      // A copy of its own, so that AddressSanitizer sees a read past the end.
      const Bytes cut(payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(size));
      EXPECT_FALSE(begins_key_frame(format, cut)) << static_cast<int>(format) << ' ' << size;
    }
  }
}

}  // namespace
}  // namespace runnel::frames
