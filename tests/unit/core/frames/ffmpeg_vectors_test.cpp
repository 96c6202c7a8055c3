// Streams that FFmpeg encoded and packetized: each frame must be the one that its demuxer found.
#include <string>

#include <gtest/gtest.h>

#include "core/frames/frame_packetizer.h"
#include "tests/unit/core/frames/packets.h"
#include "tests/unit/core/frames/vectors.h"

namespace runnel::frames {
namespace {

struct Stream {
  const char* name;
  const char* rtpmap;
  bool lengths_for_start_codes = false;  // the oracle's form of NAL units, see the vectors' script
};

/// Overwrites each 00 00 00 01 with the length of what follows it.
void put_lengths(Bytes& frame) {
  std::size_t end = frame.size();
  for (std::size_t i = frame.size() - 4;; --i) {
    if (load_be32(frame.data() + i) == 1) {
      store_be32(frame.data() + i, static_cast<std::uint32_t>(end - i - 4));
      end = i;
    }
    if (i == 0) break;
  }
}

class FfmpegStream : public testing::TestWithParam<Stream> {
 protected:
  void SetUp() override {
    packets_ = load_packets(GetParam().name);
    expected_ = load_frames(GetParam().name);
    ASSERT_GE(expected_.size(), 12u);
    ASSERT_GE(packets_.size(), expected_.size());
  }
  void expect_equal(std::vector<KeptFrame> frames) {
    ASSERT_EQ(frames.size(), expected_.size());
    for (std::size_t i = 0; i < frames.size(); ++i) {
      if (GetParam().lengths_for_start_codes) put_lengths(frames[i].bytes);
      EXPECT_EQ(md5_of(frames[i].bytes), expected_[i].md5) << i;
      EXPECT_EQ(frames[i].key_frame, expected_[i].key == 'K') << i;
      EXPECT_FALSE(frames[i].discontinuity) << i;
      // The container's time base is not that of RTP.
      EXPECT_NEAR(static_cast<double>(frames[i].timestamp_us),
                  static_cast<double>(expected_[i].timestamp_us), 20);
    }
  }

  std::vector<Bytes> packets_;
  std::vector<ExpectedFrame> expected_;
};

TEST_P(FfmpegStream, IsAssembledFrameByFrame) {
  FrameAssembler assembler(codec(GetParam().rtpmap));
  std::vector<KeptFrame> frames;
  for (const Bytes& packet : packets_) {
    assembler.push(view(packet));
    drain(assembler, frames);
  }
  expect_equal(std::move(frames));
  EXPECT_EQ(assembler.statistics().frames, expected_.size());
  EXPECT_EQ(assembler.statistics().broken_frames, 0u);
}

TEST_P(FfmpegStream, IsAssembledAlthoughEachPairOfPacketsComesInWrongOrder) {
  FrameAssembler assembler(codec(GetParam().rtpmap));
  std::vector<KeptFrame> frames;
  // The very first stays: what comes before the first packet is not waited for.
  for (std::size_t i = 1; i + 1 < packets_.size(); i += 2) std::swap(packets_[i], packets_[i + 1]);
  for (const Bytes& packet : packets_) {
    assembler.push(view(packet));
    drain(assembler, frames);
  }
  expect_equal(std::move(frames));
}

INSTANTIATE_TEST_SUITE_P(Streams, FfmpegStream,
                         testing::Values(Stream{"vp8", "VP8/90000"}, Stream{"vp9", "VP9/90000"},
                                         Stream{"h264", "H264/90000", true},
                                         Stream{"h265", "H265/90000", true},
                                         Stream{"opus", "opus/48000/2"}),
                         [](const auto& stream) { return std::string(stream.param.name); });

// FFmpeg 5.1 has no payload format for AV1, so the frames go through our packets.
TEST(Av1Stream, IsWholeAndItsKeyFramesAreKnownWhetherOrNotTheSenderMarksThem) {
  const rtp::Codec format = codec("AV1/90000");
  const auto units = load_ivf("av1");
  const auto expected = load_frames("av1");
  ASSERT_EQ(units.size(), expected.size());
  for (const bool marked : {false, true}) {
    FramePacketizer packetizer(format);
    FrameAssembler assembler(format);
    Bytes out(1200);
    for (std::size_t i = 0; i < units.size(); ++i) {
      const bool key_frame = expected[i].key == 'K';
      ASSERT_TRUE(packetizer.begin(units[i], marked && key_frame, i * 33'333).has_value());
      while (const std::size_t size = packetizer.next(out)) {
        assembler.push(view(ByteView(out).first(size)));
      }
      const auto frame = assembler.next();
      ASSERT_TRUE(frame.has_value()) << i;
      EXPECT_EQ(frame->key_frame(), key_frame) << i;
      Bytes unit = {0x12, 0x00};  // the temporal delimiter, which does not travel
      unit.insert(unit.end(), frame->bytes.begin(), frame->bytes.end());
      EXPECT_EQ(md5_of(unit), expected[i].md5) << i;
    }
  }
}

}  // namespace
}  // namespace runnel::frames
