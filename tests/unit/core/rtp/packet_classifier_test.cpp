#include "core/rtp/packet_classifier.h"

#include <array>

#include <gtest/gtest.h>

namespace runnel::rtp {
namespace {

PacketClass classify_two(unsigned first, unsigned second) {
  const std::array bytes{static_cast<std::uint8_t>(first), static_cast<std::uint8_t>(second)};
  return classify(bytes);
}

// RFC 7983 §7: the whole first byte.
TEST(PacketClassifier, SortsByTheFirstByte) {
  for (unsigned first = 0; first < 256; ++first) {
    PacketClass expected = PacketClass::other;
    if (first <= 3) expected = PacketClass::stun;
    if (first >= 20 && first <= 63) expected = PacketClass::dtls;
    if (first >= 128 && first <= 191) expected = PacketClass::rtp;
    EXPECT_EQ(classify_two(first, 0x60), expected) << first;
  }
}

// RFC 5761 §4: the whole second byte.
TEST(PacketClassifier, TellsRtcpFromRtpByTheSecondByte) {
  for (const unsigned first : {128u, 144u, 160u, 191u}) {
    for (unsigned second = 0; second < 256; ++second) {
      const bool is_rtcp = second >= 192 && second <= 223;
      EXPECT_EQ(classify_two(first, second), is_rtcp ? PacketClass::rtcp : PacketClass::rtp)
          << first << " " << second;
    }
  }
}

TEST(PacketClassifier, LooksAtTheSecondByteOfRtpAlone) {
  EXPECT_EQ(classify_two(1, 200), PacketClass::stun);
  EXPECT_EQ(classify_two(22, 200), PacketClass::dtls);
  EXPECT_EQ(classify_two(0x40, 200), PacketClass::other);
  EXPECT_EQ(classify_two(0xc0, 200), PacketClass::other);
}

TEST(PacketClassifier, AcceptsAnyLength) {
  EXPECT_EQ(classify({}), PacketClass::other);
  const std::array<std::uint8_t, 1> stun{0};
  EXPECT_EQ(classify(stun), PacketClass::stun);
  const std::array<std::uint8_t, 1> dtls{22};
  EXPECT_EQ(classify(dtls), PacketClass::dtls);
  const std::array<std::uint8_t, 1> version_two{128};
  EXPECT_EQ(classify(version_two), PacketClass::other);
}

}  // namespace
}  // namespace runnel::rtp
