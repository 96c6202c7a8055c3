// From frames to packets and back: of random frames, in any order within the window and with
// packets missing, what is delivered is what was sent.
#include <algorithm>
#include <array>
#include <map>
#include <random>

#include <gtest/gtest.h>

#include "core/frames/av1_obu.h"
#include "core/frames/frame_packetizer.h"
#include "tests/unit/core/frames/packets.h"

namespace runnel::frames {
namespace {

using Random = std::mt19937;

std::size_t up_to(Random& random, std::size_t highest) {
  return std::uniform_int_distribution<std::size_t>(0, highest)(random);
}

Bytes random_bytes(Random& random, std::size_t size) {
  Bytes bytes(size);
  for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random());
  return bytes;
}

/// Small ones and large ones alike.
std::size_t random_size(Random& random) {
  constexpr std::array<std::size_t, 4> kHighest = {3, 60, 700, 9000};
  return 1 + up_to(random, kHighest[up_to(random, 3)]);
}

/// A NAL unit has no start code within, and does not end with a zero.
void append_nal_unit(Bytes& frame, Bytes header, Random& random) {
  Bytes body = random_bytes(random, random_size(random));
  for (std::uint8_t& byte : body) byte |= 0x80;
  frame.insert(frame.end(), {0, 0, 0, 1});
  frame.insert(frame.end(), header.begin(), header.end());
  frame.insert(frame.end(), body.begin(), body.end());
}

Bytes make_h264(Random& random, bool key_frame) {
  Bytes frame;
  if (key_frame) {
    append_nal_unit(frame, {0x67}, random);
    append_nal_unit(frame, {0x68}, random);
  }
  if (up_to(random, 1) == 1) append_nal_unit(frame, {0x06}, random);
  const auto slices = 1 + up_to(random, 2);
  for (std::size_t i = 0; i < slices; ++i) {
    append_nal_unit(frame, {static_cast<std::uint8_t>(key_frame ? 0x65 : 0x41)}, random);
  }
  return frame;
}

Bytes make_h265(Random& random, bool key_frame) {
  Bytes frame;
  if (key_frame) {
    for (const std::uint8_t type : Bytes{0x40, 0x42, 0x44})
      append_nal_unit(frame, {type, 1}, random);
  }
  append_nal_unit(frame, {static_cast<std::uint8_t>(key_frame ? 0x26 : 0x02), 1}, random);
  return frame;
}

void append_obu(Bytes& frame, std::uint8_t type, Bytes payload) {
  frame.push_back(static_cast<std::uint8_t>(type << 3 | kObuHasSize));
  std::uint8_t size[5];
  const auto size_size = write_leb128(size, static_cast<std::uint32_t>(payload.size()));
  frame.insert(frame.end(), size, size + size_size);
  frame.insert(frame.end(), payload.begin(), payload.end());
}

Bytes make_av1(Random& random, bool key_frame) {
  Bytes frame;
  if (key_frame) append_obu(frame, 1, random_bytes(random, 11));
  if (up_to(random, 1) == 1) append_obu(frame, 5, random_bytes(random, up_to(random, 20)));
  const auto frames = 1 + up_to(random, 1);
  for (std::size_t i = 0; i < frames; ++i) {
    Bytes payload = random_bytes(random, random_size(random));
    payload[0] = key_frame ? 0x10 : 0x30;
    append_obu(frame, 6, payload);
  }
  return frame;
}

Bytes make_frame(Format format, Random& random, bool key_frame) {
  switch (format) {
    case Format::h264:
      return make_h264(random, key_frame);
    case Format::h265:
      return make_h265(random, key_frame);
    case Format::av1:
      return make_av1(random, key_frame);
    case Format::vp8: {
      Bytes frame = random_bytes(random, random_size(random));
      frame[0] = static_cast<std::uint8_t>((frame[0] & 0xfe) | (key_frame ? 0 : 1));
      return frame;
    }
    case Format::vp9:
      return random_bytes(random, random_size(random));
    default:
      return random_bytes(random, 1 + up_to(random, 1100));
  }
}

struct SentFrame {
  Bytes bytes;
  bool key_frame = false;
  std::size_t packets = 0;
};

/// A stream of random frames, told apart by their time.
struct RandomStream {
  RandomStream(const rtp::Codec& codec, Random& random, std::size_t count) {
    PacketizerOptions options{.ssrc = 7, .payload_type = 96};
    options.first_sequence_number = static_cast<std::uint16_t>(random());
    options.first_timestamp = {static_cast<std::uint32_t>(random())};
    options.first_picture_id = 0x7ffe;
    options.max_packet_size = up_to(random, 1) == 1 ? 1200 : kMinPacketSize + up_to(random, 1200);
    if (!is_video(format_of(codec))) options.max_packet_size = 1200;
    FramePacketizer packetizer(codec, options);
    Bytes out(options.max_packet_size);
    for (std::size_t i = 0; i < count; ++i) {
      const bool key_frame = !is_video(format_of(codec)) || i == 0 || up_to(random, 7) == 0;
      SentFrame frame{make_frame(format_of(codec), random, key_frame), key_frame};
      const std::uint64_t time = i * 20'000;
      EXPECT_TRUE(packetizer.begin(frame.bytes, key_frame, time).has_value());
      while (const std::size_t size = packetizer.next(out)) {
        EXPECT_LE(size, options.max_packet_size);
        packets.emplace_back(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(size));
        ++frame.packets;
      }
      frames[time] = std::move(frame);
    }
  }

  std::map<std::uint64_t, SentFrame> frames;
  std::vector<Bytes> packets;
};

/// No packet is moved by as much as the window, and the first one stays.
void shuffle(std::vector<Bytes>& packets, Random& random) {
  for (std::size_t i = 1; i < packets.size(); ++i) {
    const std::size_t end = std::min(i + 16, packets.size());
    if (up_to(random, 3) == 0) {
      std::shuffle(packets.begin() + static_cast<std::ptrdiff_t>(i),
                   packets.begin() + static_cast<std::ptrdiff_t>(end), random);
      i = end;
    }
  }
}

std::vector<KeptFrame> assemble(const rtp::Codec& codec, const std::vector<Bytes>& packets) {
  FrameAssembler assembler(codec, {.reorder_ms = 100'000});
  std::vector<KeptFrame> frames;
  for (const Bytes& packet : packets) {
    assembler.push(view(packet));
    drain(assembler, frames);
  }
  assembler.flush();
  drain(assembler, frames);
  return frames;
}

class RoundTrip : public testing::TestWithParam<const char*> {};

TEST_P(RoundTrip, IsExactWhateverTheOrderWithinTheWindow) {
  const rtp::Codec format = codec(GetParam());
  for (unsigned seed = 0; seed < 20; ++seed) {
    Random random(seed);
    RandomStream stream(format, random, 60);
    shuffle(stream.packets, random);
    const auto frames = assemble(format, stream.packets);
    ASSERT_EQ(frames.size(), stream.frames.size()) << seed;
    for (const KeptFrame& frame : frames) {
      const auto sent = stream.frames.find(frame.timestamp_us);
      ASSERT_NE(sent, stream.frames.end());
      EXPECT_EQ(frame.bytes, sent->second.bytes);
      EXPECT_EQ(frame.key_frame, sent->second.key_frame);
      EXPECT_FALSE(frame.discontinuity);
    }
  }
}

TEST_P(RoundTrip, NeverDeliversADamagedFrameNorOneThatCannotBeDecoded) {
  const rtp::Codec format = codec(GetParam());
  std::size_t delivered = 0;
  for (unsigned seed = 100; seed < 140; ++seed) {
    Random random(seed);
    RandomStream stream(format, random, 120);
    const std::size_t one_in = 5 + up_to(random, 200);
    std::vector<Bytes> received = {stream.packets.front()};
    for (std::size_t i = 1; i < stream.packets.size(); ++i) {
      if (up_to(random, one_in) != 0) received.push_back(stream.packets[i]);
    }
    shuffle(received, random);
    const auto frames = assemble(format, received);
    delivered += frames.size();
    const std::uint64_t period = 20'000;
    std::uint64_t expected = 0;
    for (const KeptFrame& frame : frames) {
      const auto sent = stream.frames.find(frame.timestamp_us);
      ASSERT_NE(sent, stream.frames.end());
      EXPECT_EQ(frame.bytes, sent->second.bytes) << seed;
      EXPECT_EQ(frame.key_frame, sent->second.key_frame);
      // What does not follow the frame before it is marked, and needs nothing of what is missing.
      const bool follows = frame.timestamp_us == expected;
      EXPECT_TRUE(follows || frame.discontinuity) << seed;
      EXPECT_TRUE(follows || frame.key_frame) << seed;
      expected = frame.timestamp_us + period;
    }
  }
  EXPECT_GT(delivered, 400u);
}

INSTANTIATE_TEST_SUITE_P(Codecs, RoundTrip,
                         testing::Values("VP8/90000", "VP9/90000", "H264/90000", "H265/90000",
                                         "AV1/90000", "opus/48000/2", "PCMU/8000", "PCMA/8000",
                                         "G722/8000", "L16/44100/2"),
                         [](const auto& stream) {
                           const std::string name(stream.param);
                           return name.substr(0, name.find('/'));
                         });

}  // namespace
}  // namespace runnel::frames
