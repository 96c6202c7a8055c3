#include "core/base/packet_slab.h"

#include <algorithm>
#include <cstdint>

#include <gtest/gtest.h>

namespace runnel {
namespace {

static_assert(kMaxDatagramSize < kPacketCapacity && kPacketCapacity <= kPacketStride);
static_assert(kPacketStride % 64 == 0 && kPacketStride / 64 % 2 == 1);

TEST(PacketSlab, HasAlignedSlotsAtAnEvenDistance) {
  PacketSlab slab(9);
  ASSERT_EQ(slab.slot_count(), 9u);
  for (std::size_t i = 0; i < slab.slot_count(); ++i) {
    const ByteSpan slot = slab.slot(i);
    EXPECT_EQ(slot.size(), kPacketCapacity);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(slot.data()) % 64, 0u);
    EXPECT_EQ(slot.data(), slab.slot(0).data() + i * kPacketStride);
  }
}

TEST(PacketSlab, StartsZeroedAndItsSlotsDoNotOverlap) {
  PacketSlab slab(3);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(std::ranges::all_of(slab.slot(i), [](std::uint8_t byte) { return byte == 0; }));
  }
  std::ranges::fill(slab.slot(1), std::uint8_t{0xff});
  for (const std::size_t i : {0u, 2u}) {
    EXPECT_TRUE(std::ranges::all_of(slab.slot(i), [](std::uint8_t byte) { return byte == 0; }));
  }
}

TEST(PacketSlab, OwnsTheBytesUpToTheStrideOfItsLastSlot) {
  PacketSlab slab(2);
  // Wide stores may run over the capacity; the sanitiser would object if the memory ended there.
  std::uint8_t* last = slab.slot(1).data();
  std::fill(last, last + kPacketStride, std::uint8_t{0xff});
  EXPECT_EQ(slab.slot(0).front(), 0);
}

TEST(PacketSlab, MayBeEmpty) {
  EXPECT_EQ(PacketSlab(0).slot_count(), 0u);
}

}  // namespace
}  // namespace runnel
