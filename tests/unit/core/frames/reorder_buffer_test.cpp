#include "core/frames/reorder_buffer.h"

#include <gtest/gtest.h>

#include "tests/unit/core/frames/packets.h"

namespace runnel::frames {
namespace {

constexpr std::uint32_t kNever = 0x7fffffff;

bool put(ReorderBuffer& buffer, std::uint16_t sequence_number, std::uint32_t timestamp = 0) {
  const Bytes packet =
      to_packet({sequence_number, timestamp, false, {static_cast<std::uint8_t>(sequence_number)}});
  return buffer.put(view(packet));
}

Bytes take_all(ReorderBuffer& buffer) {
  Bytes taken;
  while (const auto packet = buffer.front()) {
    taken.push_back(packet->payload[0]);
    buffer.pop();
  }
  return taken;
}

TEST(ReorderBuffer, GivesPacketsInOrderAcrossTheWrap) {
  ReorderBuffer buffer(8, kNever);
  EXPECT_TRUE(put(buffer, 0xfffe));
  EXPECT_TRUE(put(buffer, 0x0001));
  EXPECT_TRUE(put(buffer, 0x0000));
  EXPECT_EQ(take_all(buffer), Bytes{0xfe});
  EXPECT_TRUE(put(buffer, 0xffff));
  EXPECT_EQ(take_all(buffer), (Bytes{0xff, 0x00, 0x01}));
  EXPECT_EQ(buffer.size(), 0u);
}

TEST(ReorderBuffer, IsOverdueWhenThePacketOneWindowFurtherIsThere) {
  ReorderBuffer buffer(8, kNever);
  put(buffer, 10);
  take_all(buffer);
  put(buffer, 12);
  put(buffer, 18);
  EXPECT_FALSE(buffer.overdue());
  put(buffer, 19);
  EXPECT_TRUE(buffer.overdue());
  EXPECT_EQ(buffer.give_up(), 1u);
  EXPECT_EQ(take_all(buffer), Bytes{12});
  EXPECT_FALSE(buffer.overdue());
  EXPECT_EQ(buffer.give_up(), 5u);
  EXPECT_EQ(take_all(buffer), (Bytes{18, 19}));
  EXPECT_EQ(buffer.give_up(), 0u);
}

TEST(ReorderBuffer, IsOverdueWhenSoMuchMediaTimeWasHeld) {
  ReorderBuffer buffer(8, 1000);
  put(buffer, 10, 0);
  take_all(buffer);
  put(buffer, 12, 5000);
  put(buffer, 13, 5999);
  EXPECT_FALSE(buffer.overdue());
  put(buffer, 14, 6000);
  EXPECT_TRUE(buffer.overdue());
}

TEST(ReorderBuffer, RefusesWhatIsLateOrThereAlready) {
  ReorderBuffer buffer(8, kNever);
  put(buffer, 10);
  take_all(buffer);
  EXPECT_FALSE(put(buffer, 10));
  EXPECT_FALSE(put(buffer, 9));
  EXPECT_TRUE(put(buffer, 12));
  EXPECT_FALSE(put(buffer, 12));
}

TEST(ReorderBuffer, KeepsWhatItHoldsWhenANewLineBegins) {
  ReorderBuffer buffer(8, kNever);
  put(buffer, 10);
  take_all(buffer);
  put(buffer, 12);
  EXPECT_TRUE(put(buffer, 10 + 1 + 16)) << "twice the window: a jump";
  EXPECT_EQ(buffer.size(), 2u);
  EXPECT_TRUE(buffer.overdue());
  EXPECT_EQ(buffer.give_up(), 1u);
  EXPECT_EQ(take_all(buffer), Bytes{12});
  EXPECT_EQ(buffer.give_up(), 14u);
  EXPECT_EQ(take_all(buffer), Bytes{27});
}

TEST(ReorderBuffer, BeginsANewLineBehindOnlyAfterManyLatePacketsInARow) {
  ReorderBuffer buffer(1, kNever);
  put(buffer, 1000);
  take_all(buffer);
  for (std::uint16_t i = 0; i < 31; ++i) EXPECT_FALSE(put(buffer, i)) << i;
  EXPECT_TRUE(put(buffer, 1001)) << "the old line goes on";
  take_all(buffer);
  for (std::uint16_t i = 0; i < 31; ++i) EXPECT_FALSE(put(buffer, i)) << i;
  EXPECT_TRUE(put(buffer, 31));
  EXPECT_EQ(buffer.give_up(), 1u);
  EXPECT_EQ(take_all(buffer), Bytes{31});
}

TEST(ReorderBuffer, NeverHoldsMoreThanTwiceItsWindowAndOneWhenNobodyTakes) {
  ReorderBuffer buffer(8, kNever);
  for (std::uint16_t i = 0; i < 1000; ++i) put(buffer, i);
  EXPECT_EQ(buffer.size(), 17u);
}

}  // namespace
}  // namespace runnel::frames
