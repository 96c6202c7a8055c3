#include "core/rtp/retransmission.h"

#include <gtest/gtest.h>

#include "tests/unit/core/rtp/vectors.h"

namespace runnel::rtp {
namespace {

// Payload type 97, number 9, one CSRC, an extension of one word; in it the original number 0x1234
// and the payload aabbcc.
const Bytes kRetransmission = from_hex(
    "91e10009 00000064 00000055 000000c5 bede0001 10ff0000"
    "1234 aabbcc");
const Bytes kOriginal = from_hex(
    "91e01234 00000064 00000011 000000c5 bede0001 10ff0000"
    "aabbcc");

RtpPacketView view(const Bytes& packet) {
  return RtpPacketView::parse(packet).value();
}

TEST(Retransmission, HoldsTheOriginalNumberAndPayload) {
  const auto held = parse_retransmission(view(kRetransmission));
  ASSERT_TRUE(held.has_value());
  EXPECT_EQ(held->original_sequence_number, 0x1234);
  EXPECT_EQ(to_hex(held->payload), "aabbcc");
}

TEST(Retransmission, OfPaddingAloneIsAProbe) {
  Bytes probe = from_hex("b0e10009 00000064 00000055 bede0001 10ff0000");
  probe.resize(probe.size() + 224);
  probe.back() = 224;
  EXPECT_FALSE(parse_retransmission(view(probe)).has_value());
  // With an original number, but nothing behind it.
  probe.back() = 222;
  EXPECT_FALSE(parse_retransmission(view(probe)).has_value());
  probe.back() = 221;
  EXPECT_TRUE(parse_retransmission(view(probe)).has_value());
  const Bytes empty = from_hex("80e10009 00000064 00000055");
  EXPECT_FALSE(parse_retransmission(view(empty)).has_value());
}

TEST(Retransmission, BecomesTheOriginalPacketInItsPlace) {
  Bytes packet = kRetransmission;
  const std::size_t header_size = view(packet).header().size();
  EXPECT_EQ(to_hex(unwrap_retransmission(packet, header_size, 0x11, 96)), to_hex(kOriginal));
}

TEST(Retransmission, KeepsThePaddingOfTheOriginal) {
  Bytes packet = from_hex("a0610009 00000064 00000055 1234 aabbcc 000003");
  const ByteSpan original = unwrap_retransmission(packet, 12, 0x11, 96);
  const auto parsed = RtpPacketView::parse(original);
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed->padding_size(), 3u);
  EXPECT_EQ(to_hex(parsed->payload()), "aabbcc");
}

TEST(Retransmission, IsWrittenAsItIsRead) {
  Bytes out(5);
  EXPECT_EQ(write_retransmission_payload(0x1234, view(kOriginal).payload(), out), 5u);
  EXPECT_EQ(to_hex(out), "1234aabbcc");
  Bytes short_by_one(4);
  EXPECT_EQ(write_retransmission_payload(0x1234, view(kOriginal).payload(), short_by_one), 0u);
}

}  // namespace
}  // namespace runnel::rtp
