#include "core/relay/retransmission_buffer.h"

#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace runnel::relay {
namespace {

using Bytes = std::vector<std::uint8_t>;

StoredPacket packet(const Bytes& bytes, std::uint64_t position) {
  return {.bytes = bytes,
          .header_size = 12,
          .payload_size = static_cast<std::uint16_t>(bytes.size() - 12),
          .place = {position, {static_cast<std::uint32_t>(position * 3000)}},
          .extensions = {}};
}

bool same(ByteView a, const Bytes& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

TEST(RetransmissionBuffer, finds_the_newest_n_packets_and_not_the_one_before_them) {
  RetransmissionBuffer buffer(8);
  for (std::uint64_t position = 65536; position < 65545; ++position) {
    buffer.store(packet(Bytes(20, static_cast<std::uint8_t>(position)), position));
  }
  EXPECT_FALSE(buffer.find(65536));
  for (std::uint64_t position = 65537; position < 65545; ++position) {
    const auto found = buffer.find(position);
    ASSERT_TRUE(found);
    EXPECT_TRUE(same(found->bytes, Bytes(20, static_cast<std::uint8_t>(position))));
    EXPECT_EQ(found->header_size, 12);
    EXPECT_EQ(found->payload_size, 8);
    EXPECT_EQ(found->place.position, position);
    EXPECT_EQ(found->place.timestamp.value, position * 3000);
  }
  EXPECT_FALSE(buffer.find(65545));
}

TEST(RetransmissionBuffer, takes_its_memory_with_the_first_packet_once) {
  RetransmissionBuffer buffer;
  EXPECT_EQ(buffer.capacity(), RetransmissionBuffer::kDefaultCapacity);
  EXPECT_EQ(buffer.memory(), 0u);
  EXPECT_FALSE(buffer.find(1));
  buffer.store(packet(Bytes(100), 1));
  const std::size_t memory = buffer.memory();
  EXPECT_GE(memory, 512u * 1500);
  EXPECT_LE(memory, 512u * 1600);
  for (std::uint64_t position = 2; position < 3000; ++position) {
    buffer.store(packet(Bytes(1500), position));
  }
  EXPECT_EQ(buffer.memory(), memory);
  buffer.clear();
  EXPECT_EQ(buffer.memory(), 0u);
  EXPECT_FALSE(buffer.find(2999));
}

TEST(RetransmissionBuffer, keeps_no_longer_packet_than_it_has_room_for_and_none_of_nothing) {
  RetransmissionBuffer buffer(4);
  buffer.store(packet(Bytes(RetransmissionBuffer::kMaxPacketSize), 1));
  EXPECT_TRUE(buffer.find(1));
  buffer.store(packet(Bytes(RetransmissionBuffer::kMaxPacketSize + 1), 2));
  EXPECT_FALSE(buffer.find(2));
  RetransmissionBuffer none(0);
  none.store(packet(Bytes(20), 1));
  EXPECT_FALSE(none.find(1));
  EXPECT_EQ(none.memory(), 0u);
}

TEST(RetransmissionBuffer, under_reordering_holds_what_a_simple_model_holds) {
  std::mt19937 random(6);
  RetransmissionBuffer buffer(64);
  std::map<std::uint64_t, Bytes> stored;
  std::uint64_t highest = 1000;
  for (int round = 0; round < 20'000; ++round) {
    const std::uint64_t position = random() % 8 != 0 ? ++highest : highest - random() % 200;
    const Bytes bytes(12 + random() % 1488, static_cast<std::uint8_t>(random()));
    buffer.store(packet(bytes, position));
    stored[position] = bytes;
    const std::uint64_t asked = highest - random() % 200;
    const auto found = buffer.find(asked);
    if (found) {
      ASSERT_TRUE(stored.contains(asked));
      ASSERT_TRUE(same(found->bytes, stored[asked]));
    }
    const bool replaced = stored.upper_bound(asked) != stored.end() && [&] {
      for (std::uint64_t p = asked + 64; p <= highest; p += 64) {
        if (stored.contains(p)) return true;
      }
      return false;
    }();
    ASSERT_EQ(found.has_value(), stored.contains(asked) && !replaced) << asked;
  }
}

}  // namespace
}  // namespace runnel::relay
