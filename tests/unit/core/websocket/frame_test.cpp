#include "core/websocket/frame.h"

#include <gtest/gtest.h>

#include "tests/unit/core/websocket/wire.h"

namespace runnel::websocket {
namespace {

using Status = DecodedFrameHeader::Status;
using test::Bytes;
using test::copy_of;

constexpr FrameRules kServer{.receiver = Role::server};
constexpr FrameRules kClient{.receiver = Role::client};
constexpr FrameRules kDeflate{.receiver = Role::server, .is_rsv1_allowed = true};

Error error_of(const Bytes& bytes, FrameRules rules = kServer) {
  const auto decoded = decode_frame_header(bytes, rules);
  EXPECT_EQ(decoded.status, Status::invalid);
  return decoded.error;
}

TEST(Frame, IsDecodedAsTheExamplesOfRfc6455Section57) {
  const auto unmasked = decode_frame_header(Bytes{0x81, 0x05}, kClient);
  EXPECT_EQ(unmasked.status, Status::complete);
  EXPECT_EQ(unmasked.header.opcode, Opcode::text);
  EXPECT_EQ(unmasked.header.payload_size, 5u);
  EXPECT_FALSE(unmasked.header.masking_key);

  const auto masked = decode_frame_header(Bytes{0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d}, kServer);
  EXPECT_EQ(masked.size, 6);
  EXPECT_EQ(masked.header.masking_key, (MaskingKey{0x37, 0xfa, 0x21, 0x3d}));

  const auto first = decode_frame_header(Bytes{0x01, 0x03}, kClient);
  EXPECT_FALSE(first.header.fin);
  const auto last = decode_frame_header(Bytes{0x80, 0x02}, kClient);
  EXPECT_TRUE(last.header.fin);
  EXPECT_EQ(last.header.opcode, Opcode::continuation);

  EXPECT_EQ(decode_frame_header(Bytes{0x82, 0x7e, 0x01, 0x00}, kClient).header.payload_size, 256u);
  const Bytes large{0x82, 0x7f, 0, 0, 0, 0, 0, 1, 0, 0};
  EXPECT_EQ(decode_frame_header(large, kClient).header.payload_size, 65536u);
}

TEST(Frame, IsEncodedAndDecodedAlikeAroundEveryBorder) {
  for (const std::uint64_t size :
       {0ull, 1ull, 125ull, 126ull, 127ull, 65535ull, 65536ull, 0x7fff'ffff'ffff'ffffull}) {
    for (const bool is_masked : {false, true}) {
      FrameHeader header{.fin = size % 2 == 0, .opcode = Opcode::text, .payload_size = size};
      if (is_masked) header.masking_key = MaskingKey{1, 2, 3, 4};
      const Bytes bytes = copy_of(encode(header).view());
      const FrameRules rules = is_masked ? kServer : kClient;
      for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
        const Bytes front(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(cut));
        EXPECT_EQ(decode_frame_header(front, rules).status, Status::incomplete);
      }
      const auto decoded = decode_frame_header(bytes, rules);
      ASSERT_EQ(decoded.status, Status::complete);
      EXPECT_EQ(decoded.size, bytes.size());
      EXPECT_EQ(decoded.header.fin, header.fin);
      EXPECT_EQ(decoded.header.payload_size, size);
      EXPECT_EQ(decoded.header.masking_key, header.masking_key);
    }
  }
}

TEST(Frame, WithReservedBitsOrOpcodesIsInvalidFromItsSecondByteOn) {
  for (unsigned first = 0; first < 256; ++first) {
    const unsigned opcode = first & 0x0f;
    const bool is_known = opcode <= 2 || (opcode >= 8 && opcode <= 10);
    const Bytes bytes{static_cast<std::uint8_t>(first | 0x80), 0x80};
    const bool has_rsv = (first & 0x70) != 0;
    if (has_rsv) {
      EXPECT_EQ(error_of(bytes), Error::reserved_bit);
    } else if (!is_known) {
      EXPECT_EQ(error_of(bytes), Error::reserved_opcode);
    } else {
      EXPECT_EQ(decode_frame_header(bytes, kServer).status, Status::incomplete);
    }
  }
}

TEST(Frame, MayHaveRsv1OnlyAtTheBeginningOfACompressedMessage) {
  EXPECT_EQ(decode_frame_header(Bytes{0xc1, 0x80}, kDeflate).status, Status::incomplete);
  EXPECT_EQ(decode_frame_header(Bytes{0x42, 0x80}, kDeflate).status, Status::incomplete);
  EXPECT_EQ(error_of(Bytes{0xc0, 0x80}, kDeflate), Error::reserved_bit);
  EXPECT_EQ(error_of(Bytes{0xc9, 0x80}, kDeflate), Error::reserved_bit);
  EXPECT_EQ(error_of(Bytes{0xa1, 0x80}, kDeflate), Error::reserved_bit);
}

TEST(Frame, IsMaskedByClientsOnly) {
  EXPECT_EQ(error_of(Bytes{0x81, 0x05}, kServer), Error::unmasked_frame);
  EXPECT_EQ(error_of(Bytes{0x81, 0x85}, kClient), Error::masked_frame);
}

TEST(Frame, OfControlIsShortAndWhole) {
  EXPECT_EQ(error_of(Bytes{0x09, 0x80}), Error::fragmented_control);
  EXPECT_EQ(error_of(Bytes{0x89, 0x80 | 126}), Error::control_too_long);
  EXPECT_EQ(error_of(Bytes{0x88, 0x80 | 127}), Error::control_too_long);
  EXPECT_EQ(decode_frame_header(Bytes{0x89, 0x80 | 125}, kServer).status, Status::incomplete);
}

TEST(Frame, HasItsLengthInTheShortestForm) {
  EXPECT_EQ(error_of(Bytes{0x82, 0xfe, 0, 125}), Error::length_not_minimal);
  EXPECT_EQ(error_of(Bytes{0x82, 0xff, 0, 0, 0, 0, 0, 0, 0xff, 0xff}), Error::length_not_minimal);
  EXPECT_EQ(error_of(Bytes{0x82, 0xff, 0x80, 0, 0, 0, 0, 1, 0, 0}), Error::length_too_large);
}

TEST(CloseCode, IsAllowedOnTheWireAsRegistered) {
  for (const unsigned code : {1000u, 1001u, 1002u, 1003u, 1007u, 1011u, 1014u, 3000u, 4999u}) {
    EXPECT_TRUE(is_allowed_on_wire(static_cast<CloseCode>(code))) << code;
  }
  for (const unsigned code : {0u, 999u, 1004u, 1005u, 1006u, 1015u, 1016u, 2999u, 5000u, 65535u}) {
    EXPECT_FALSE(is_allowed_on_wire(static_cast<CloseCode>(code))) << code;
  }
}

}  // namespace
}  // namespace runnel::websocket
