#include "core/base/byte_writer.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/byte_reader.h"

namespace runnel {
namespace {

using Bytes = std::vector<std::uint8_t>;

Bytes copy_of(ByteView view) {
  return {view.begin(), view.end()};
}

TEST(ByteWriter, WritesInNetworkOrderWhatAReaderReads) {
  std::array<std::uint8_t, 23> bytes;
  bytes.fill(0xee);
  ByteWriter writer(bytes);
  writer.u8(0x01);
  writer.u16(0x0203);
  writer.u24(0x040506);
  writer.u32(0x0708090a);
  writer.u64(0x0b0c0d0e0f101112);
  const Bytes tail{0xaa, 0xbb};
  writer.bytes(tail);
  writer.zeros(3);
  EXPECT_FALSE(writer.overflowed());
  EXPECT_EQ(writer.size(), 23u);
  EXPECT_EQ(writer.remaining(), 0u);

  ByteReader reader(writer.written());
  EXPECT_EQ(reader.u8(), 0x01);
  EXPECT_EQ(reader.u16(), 0x0203);
  EXPECT_EQ(reader.u24(), 0x040506u);
  EXPECT_EQ(reader.u32(), 0x0708090au);
  EXPECT_EQ(reader.u64(), 0x0b0c0d0e0f101112u);
  EXPECT_EQ(copy_of(reader.rest()), (Bytes{0xaa, 0xbb, 0, 0, 0}));
}

TEST(ByteWriter, EachValueFitsExactlyOrOverflows) {
  const Bytes three{1, 2, 3};
  const auto overflows = [](std::size_t room, auto write) {
    Bytes bytes(room);
    ByteWriter writer(bytes);
    write(writer);
    EXPECT_EQ(writer.size(), writer.overflowed() ? 0 : room);
    return writer.overflowed();
  };
  const auto holds_at = [&](std::size_t size, auto write) {
    return !overflows(size, write) && overflows(size - 1, write);
  };
  EXPECT_TRUE(holds_at(1, [](ByteWriter& w) { w.u8(1); }));
  EXPECT_TRUE(holds_at(2, [](ByteWriter& w) { w.u16(1); }));
  EXPECT_TRUE(holds_at(3, [](ByteWriter& w) { w.u24(1); }));
  EXPECT_TRUE(holds_at(4, [](ByteWriter& w) { w.u32(1); }));
  EXPECT_TRUE(holds_at(8, [](ByteWriter& w) { w.u64(1); }));
  EXPECT_TRUE(holds_at(3, [&](ByteWriter& w) { w.bytes(three); }));
  EXPECT_TRUE(holds_at(3, [](ByteWriter& w) { w.zeros(3); }));
}

TEST(ByteWriter, WritesNothingMoreOnceSomethingDidNotFit) {
  Bytes bytes(4, 0xee);
  ByteWriter writer(bytes);
  writer.u16(0x0102);
  writer.u32(0x03040506);
  EXPECT_TRUE(writer.overflowed());
  writer.u8(0x07);  // would fit, and would be at the wrong place
  EXPECT_TRUE(writer.overflowed());
  EXPECT_EQ(writer.size(), 2u);
  EXPECT_EQ(bytes, (Bytes{0x01, 0x02, 0xee, 0xee}));
}

TEST(ByteWriter, NothingAlwaysFits) {
  ByteWriter writer({});
  writer.bytes({});
  writer.zeros(0);
  EXPECT_FALSE(writer.overflowed());
  EXPECT_TRUE(writer.written().empty());
  writer.u8(0);
  EXPECT_TRUE(writer.overflowed());
}

TEST(Bytes, AreLoadedAsTheyWereStored) {
  std::array<std::uint8_t, 8> bytes{};
  store_be16(bytes.data(), 0x8001);
  EXPECT_EQ(load_be16(bytes.data()), 0x8001);
  store_be24(bytes.data(), 0x800001);
  EXPECT_EQ(load_be24(bytes.data()), 0x800001u);
  store_be32(bytes.data(), 0x80000001);
  EXPECT_EQ(load_be32(bytes.data()), 0x80000001u);
  store_be64(bytes.data(), 0x8000000000000001);
  EXPECT_EQ(load_be64(bytes.data()), 0x8000000000000001u);
  EXPECT_EQ(bytes.front(), 0x80);
  EXPECT_EQ(bytes.back(), 0x01);
}

}  // namespace
}  // namespace runnel
