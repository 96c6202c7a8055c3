// Streams that FFmpeg encoded and packetized: each frame must be the one that its demuxer found.
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include "tests/unit/core/frames/packets.h"

namespace runnel::frames {
namespace {

struct Stream {
  const char* name;
  const char* rtpmap;
  bool lengths_for_start_codes = false;  // the oracle's form of NAL units, see the vectors' script
};

std::vector<Bytes> load_packets(const std::string& name) {
  std::ifstream file(RUNNEL_VECTORS_DIR "/frames/" + name + ".rtp", std::ios::binary);
  const Bytes bytes((std::istreambuf_iterator<char>(file)), {});
  std::vector<Bytes> packets;
  for (ByteView rest = bytes; !rest.empty();) {
    const std::size_t size = load_be16(rest.data());
    const ByteView packet = rest.subspan(2, size);
    packets.emplace_back(packet.begin(), packet.end());
    rest = rest.subspan(2 + size);
  }
  return packets;
}

struct ExpectedFrame {
  std::uint64_t timestamp_us = 0;
  char key = '_';
  std::string md5;
};

std::vector<ExpectedFrame> load_frames(const std::string& name) {
  std::ifstream file(RUNNEL_VECTORS_DIR "/frames/" + name + ".frames");
  std::vector<ExpectedFrame> frames;
  ExpectedFrame frame;
  while (file >> frame.timestamp_us >> frame.key >> frame.md5) frames.push_back(frame);
  return frames;
}

std::string md5_of(ByteView bytes) {
  std::uint8_t digest[16];
  EVP_Digest(bytes.data(), bytes.size(), digest, nullptr, EVP_md5(), nullptr);
  std::string text;
  for (const std::uint8_t byte : digest) {
    text += "0123456789abcdef"[byte >> 4];
    text += "0123456789abcdef"[byte & 15];
  }
  return text;
}

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

}  // namespace
}  // namespace runnel::frames
