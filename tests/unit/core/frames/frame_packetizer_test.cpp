#include "core/frames/frame_packetizer.h"

#include <gtest/gtest.h>

#include "tests/unit/core/frames/packets.h"

namespace runnel::frames {
namespace {

std::vector<Bytes> packets_of(FramePacketizer& packetizer, const Bytes& frame, bool key_frame,
                              std::uint64_t timestamp_us = 0) {
  EXPECT_TRUE(packetizer.begin(frame, key_frame, timestamp_us).has_value());
  std::vector<Bytes> packets;
  Bytes out(kMaxPacketSize);
  while (const std::size_t size = packetizer.next(out)) {
    packets.emplace_back(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(size));
  }
  return packets;
}

Bytes payload_of(const Bytes& packet) {
  const ByteView payload = view(packet).payload();
  return {payload.begin(), payload.end()};
}

PacketizerOptions small_packets() {
  PacketizerOptions options;
  options.max_packet_size = kMinPacketSize;  // 52 bytes of payload
  return options;
}

PacketizerError error_of(const char* rtpmap, const Bytes& frame) {
  FramePacketizer packetizer(codec(rtpmap));
  return packetizer.begin(frame, true, 0).error();
}

TEST(FramePacketizer, WritesTheHeaderThatItIsToldTo) {
  FramePacketizer packetizer(codec("VP8/90000"), {.ssrc = 0xdecade,
                                                  .payload_type = 100,
                                                  .first_sequence_number = 0xffff,
                                                  .first_timestamp = {0xffffffff},
                                                  .max_packet_size = kMinPacketSize});
  const auto packets = packets_of(packetizer, Bytes(60, 0), true, 1'000'000);
  ASSERT_EQ(packets.size(), 2u);
  EXPECT_EQ(packets[0].size(), kMinPacketSize);
  EXPECT_EQ(view(packets[0]).ssrc(), 0xdecadeu);
  EXPECT_EQ(view(packets[0]).payload_type(), 100);
  EXPECT_EQ(view(packets[0]).sequence_number(), 0xffff);
  EXPECT_EQ(view(packets[1]).sequence_number(), 0);
  EXPECT_EQ(view(packets[1]).timestamp().value, 89'999u);
  EXPECT_FALSE(view(packets[0]).marker());
  EXPECT_TRUE(view(packets[1]).marker());
  EXPECT_EQ(packetizer.next_sequence_number(), 1);
}

TEST(FramePacketizer, GivesEachFrameOfVp8ThePictureIdThatFollows) {
  auto options = small_packets();
  options.first_picture_id = 0x7fff;
  FramePacketizer packetizer(codec("VP8/90000"), options);
  const auto first = packets_of(packetizer, Bytes(49, 7), true);
  ASSERT_EQ(first.size(), 2u);
  EXPECT_EQ(payload_of(first[1]), (Bytes{0x80, 0x80, 0xff, 0xff, 7}));
  EXPECT_EQ(payload_of(packets_of(packetizer, {8}, false).at(0)),
            (Bytes{0x90, 0x80, 0x80, 0x00, 8}));
}

TEST(FramePacketizer, SaysOfVp9WhatBeginsEndsAndIsPredicted) {
  FramePacketizer packetizer(codec("VP9/90000"), small_packets());
  const auto key = packets_of(packetizer, Bytes(50, 7), true);
  ASSERT_EQ(key.size(), 2u);
  EXPECT_EQ(payload_of(key[0])[0], 0x88);
  EXPECT_EQ(payload_of(key[1]), (Bytes{0x84, 0x80, 0x00, 7}));
  EXPECT_EQ(payload_of(packets_of(packetizer, {9}, false).at(0)), (Bytes{0xcc, 0x80, 0x01, 9}));
}

TEST(FramePacketizer, AggregatesParameterSetsOfH264AndFragmentsLongSlices) {
  Bytes frame = {0, 0, 0, 1, 0x09, 0x10, 0, 0, 0, 1, 0x67, 0x42, 0, 0, 1, 0x28, 0xce, 0, 0, 1};
  frame.push_back(0x65);
  frame.resize(frame.size() + 60, 0x77);
  FramePacketizer packetizer(codec("H264/90000"), small_packets());
  const auto packets = packets_of(packetizer, frame, true);
  ASSERT_EQ(packets.size(), 3u);
  EXPECT_EQ(payload_of(packets[0]),
            (Bytes{0x78, 0, 2, 0x09, 0x10, 0, 2, 0x67, 0x42, 0, 2, 0x28, 0xce}));
  EXPECT_EQ(payload_of(packets[1]).size(), 52u);
  EXPECT_EQ(payload_of(packets[1])[0], 0x7c);
  EXPECT_EQ(payload_of(packets[1])[1], 0x85);
  EXPECT_EQ(payload_of(packets[2])[1], 0x45);
  EXPECT_TRUE(view(packets[2]).marker());
}

TEST(FramePacketizer, SendsANalUnitThatJustFitsAsItIs) {
  for (const std::size_t size : {52u, 53u}) {
    Bytes frame = {0, 0, 1};
    frame.resize(3 + size, 0x41);
    FramePacketizer packetizer(codec("H264/90000"), small_packets());
    EXPECT_EQ(packets_of(packetizer, frame, false).size(), size == 52 ? 1u : 2u);
  }
}

TEST(FramePacketizer, AggregatesAndFragmentsH265) {
  Bytes frame = {0, 0, 1, 0x40, 0x01, 0x0c, 0, 0, 1, 0x42, 0x01, 0x01, 0, 0, 1, 0x26, 0x01};
  frame.resize(frame.size() + 60, 0x77);
  FramePacketizer packetizer(codec("H265/90000"), small_packets());
  const auto packets = packets_of(packetizer, frame, true);
  ASSERT_EQ(packets.size(), 3u);
  EXPECT_EQ(payload_of(packets[0]),
            (Bytes{0x60, 0x01, 0, 3, 0x40, 0x01, 0x0c, 0, 3, 0x42, 0x01, 0x01}));
  const Bytes start = payload_of(packets[1]);
  EXPECT_EQ(Bytes(start.begin(), start.begin() + 4), (Bytes{0x62, 0x01, 0x80 | 19, 0x77}));
  EXPECT_EQ(payload_of(packets[2])[2], 0x40 | 19);
}

TEST(FramePacketizer, SendsObusWithoutTheirSizesAndFillsPacketsUp) {
  Bytes frame = {0x12, 0x00, 0x0a, 0x02, 0xaa, 0xbb, 0x32, 60};
  frame.resize(frame.size() + 60, 0x10);
  FramePacketizer packetizer(codec("AV1/90000"), small_packets());
  const auto packets = packets_of(packetizer, frame, true);
  ASSERT_EQ(packets.size(), 2u);
  const Bytes first = payload_of(packets[0]);
  EXPECT_EQ(first.size(), 52u);
  EXPECT_EQ(Bytes(first.begin(), first.begin() + 7),
            (Bytes{0x48, 3, 0x08, 0xaa, 0xbb, 46, 0x30}));  // Y, N
  EXPECT_EQ(payload_of(packets[1])[0], 0x80);               // Z
  EXPECT_TRUE(view(packets[1]).marker());
}

TEST(FramePacketizer, SendsAudioInOnePacketWithoutMarker) {
  FramePacketizer packetizer(codec("PCMU/8000"), small_packets());
  const auto packets = packets_of(packetizer, Bytes(52, 0xff), true, 20'000);
  ASSERT_EQ(packets.size(), 1u);
  EXPECT_FALSE(view(packets[0]).marker());
  EXPECT_EQ(view(packets[0]).timestamp().value, 160u);
  EXPECT_EQ(packetizer.begin(Bytes(53, 0xff), true, 0).error(), PacketizerError::too_long);
}

TEST(FramePacketizer, RefusesWhatIsNoFrameOfItsFormat) {
  for (const char* format : {"VP8/90000", "H264/90000", "AV1/90000", "opus/48000/2"}) {
    EXPECT_EQ(error_of(format, {}), PacketizerError::empty_frame);
  }
  EXPECT_EQ(error_of("H264/90000", {0, 0, 0, 2, 0x65, 0x88}), PacketizerError::malformed_frame)
      << "lengths in place of start codes";
  EXPECT_EQ(error_of("H264/90000", {0, 0, 1, 0x7c, 0x85}), PacketizerError::malformed_frame)
      << "a type that only payloads have";
  EXPECT_EQ(error_of("H265/90000", {0, 0, 1, 0x40}), PacketizerError::malformed_frame);
  EXPECT_EQ(error_of("AV1/90000", {0x0a, 0x05, 0x00}), PacketizerError::malformed_frame);
  EXPECT_EQ(error_of("AV1/90000", {0x12, 0x00}), PacketizerError::empty_frame);
  EXPECT_EQ(to_string(PacketizerError::too_long), "too_long");
}

TEST(FramePacketizer, SendsNothingOfAFrameThatItRefused) {
  FramePacketizer packetizer(codec("H264/90000"));
  ASSERT_FALSE(packetizer.begin(Bytes{1, 2, 3}, true, 0).has_value());
  Bytes out(1200);
  EXPECT_EQ(packetizer.next(out), 0u);
  EXPECT_EQ(packetizer.next_sequence_number(), 0);
}

}  // namespace
}  // namespace runnel::frames
