#include "core/frames/media_message.h"

#include <vector>

#include <gtest/gtest.h>

namespace runnel::frames {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes written(const MediaHeader& header) {
  const MediaHeaderBytes bytes(header);
  return {bytes.view().begin(), bytes.view().end()};
}

TEST(MediaMessage, OfAnRtpPacketHasFourBytesInFront) {
  EXPECT_EQ(written({.channel = 0x1234}), (Bytes{0x10, 0x00, 0x12, 0x34}));
  EXPECT_EQ(written({.key_frame = true, .discontinuity = true, .channel = 1}),
            (Bytes{0x10, 0x03, 0x00, 0x01}));
}

TEST(MediaMessage, OfAFrameHasItsTimeAsWell) {
  const MediaHeader header{.kind = MessageKind::encoded_frame,
                           .discontinuity = true,
                           .channel = 7,
                           .timestamp_us = 0x0102030405060708};
  EXPECT_EQ(written(header), (Bytes{0x11, 0x02, 0x00, 0x07, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_EQ(header.size(), 12u);
}

TEST(MediaMessage, IsReadAsItWasWritten) {
  for (int flags = 0; flags < 8; ++flags) {
    const MediaHeader header{
        .kind = (flags & 4) != 0 ? MessageKind::encoded_frame : MessageKind::rtp_packet,
        .key_frame = (flags & 1) != 0,
        .discontinuity = (flags & 2) != 0,
        .channel = 0xfffe,
        .timestamp_us = (flags & 4) != 0 ? ~std::uint64_t{0} : 0};
    Bytes message = written(header);
    message.push_back(0xaa);
    const auto parsed = parse_media_message(message);
    ASSERT_TRUE(parsed.has_value());
    EXPECT_EQ(parsed->header, header);
    EXPECT_EQ(Bytes(parsed->body.begin(), parsed->body.end()), Bytes{0xaa});
  }
}

TEST(MediaMessage, MayHaveFlagsOfALaterTime) {
  const Bytes message = {0x10, 0xff, 0x00, 0x01, 0x80};
  const auto parsed = parse_media_message(message);
  ASSERT_TRUE(parsed.has_value());
  EXPECT_TRUE(parsed->header.key_frame);
  EXPECT_TRUE(parsed->header.discontinuity);
}

TEST(MediaMessage, IsRefusedWhenNothingFollowsItsHeader) {
  for (const std::uint8_t first : Bytes{0x10, 0x11}) {
    const std::size_t header_size = first == 0x10 ? 4 : 12;
    for (std::size_t size = 0; size <= header_size; ++size) {
      Bytes message(size, 0);
      if (!message.empty()) message[0] = first;
      EXPECT_EQ(parse_media_message(message).error(), MediaMessageError::too_short) << size;
    }
    Bytes message(header_size + 1, 0);
    message[0] = first;
    EXPECT_TRUE(parse_media_message(message).has_value());
  }
}

TEST(MediaMessage, IsRefusedInAnotherVersionOrKind) {
  EXPECT_EQ(parse_media_message(Bytes{0x20, 0, 0, 0, 0}).error(),
            MediaMessageError::unknown_version);
  EXPECT_EQ(parse_media_message(Bytes{0x00, 0, 0, 0, 0}).error(),
            MediaMessageError::unknown_version);
  EXPECT_EQ(parse_media_message(Bytes{0x12, 0, 0, 0, 0}).error(), MediaMessageError::unknown_kind);
  EXPECT_EQ(to_string(MediaMessageError::unknown_kind), "unknown_kind");
}

}  // namespace
}  // namespace runnel::frames
