// Estimation of the packet index (RFC 3711 §3.3.1). The table of Appendix A is in vector_test.cpp.
#include "core/srtp/packet_index.h"

#include <gtest/gtest.h>

namespace runnel::srtp {
namespace {

TEST(PacketIndex, IsWithinHalfACycleOfTheHighest) {
  for (std::uint64_t highest = packet_index(5, 0); highest < packet_index(6, 0); highest += 97) {
    for (std::uint32_t number = 0; number < 0x10000; number += 89) {
      const auto sequence_number = static_cast<std::uint16_t>(number);
      const auto index = estimate_packet_index(highest, sequence_number);
      ASSERT_TRUE(index.has_value());
      ASSERT_EQ(*index & 0xffff, sequence_number);
      const auto distance = static_cast<std::int64_t>(*index - highest);
      ASSERT_LE(distance, 0x8000);
      ASSERT_GE(distance, -0x8000);
    }
  }
}

TEST(PacketIndex, NothingLiesBeforeTheFirst) {
  EXPECT_EQ(estimate_packet_index(packet_index(0, 3), 65535).error(), Error::too_old);
  EXPECT_EQ(estimate_packet_index(packet_index(0, 3), 0), packet_index(0, 0));
  EXPECT_EQ(estimate_packet_index(packet_index(0, 3), 0x8003), packet_index(0, 0x8003));
  EXPECT_EQ(estimate_packet_index(packet_index(0, 3), 0x8004).error(), Error::too_old);
}

TEST(PacketIndex, NothingLiesBehindTheLast) {
  EXPECT_EQ(packet_index(0xffff'ffff, 0xffff), kMaxPacketIndex);
  EXPECT_EQ(estimate_packet_index(kMaxPacketIndex - 1, 0xffff), kMaxPacketIndex);
  EXPECT_EQ(estimate_packet_index(kMaxPacketIndex, 0).error(), Error::key_expired);
}

TEST(PacketIndex, RolloverCounterIsTheUpperPart) {
  EXPECT_EQ(rollover_counter(packet_index(0x1234'5678, 0x9abc)), 0x1234'5678U);
}

}  // namespace
}  // namespace runnel::srtp
