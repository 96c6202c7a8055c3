#include "core/base/byte_reader.h"

#include <array>

#include <gtest/gtest.h>

namespace runnel {
namespace {

constexpr std::array<std::uint8_t, 18> kBytes{0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08, 0x09,
                                              0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f, 0x10, 0x11, 0x12};

TEST(ByteReader, TakesValuesInNetworkOrder) {
  ByteReader reader(kBytes);
  EXPECT_EQ(reader.u8(), 0x01);
  EXPECT_EQ(reader.u16(), 0x0203);
  EXPECT_EQ(reader.u24(), 0x040506u);
  EXPECT_EQ(reader.u32(), 0x0708090au);
  EXPECT_EQ(reader.u64(), 0x0b0c0d0e0f101112u);
  EXPECT_EQ(reader.remaining(), 0u);
  EXPECT_FALSE(reader.u8().has_value());
}

TEST(ByteReader, TakesAllThatIsAskedOrNothing) {
  ByteReader reader(ByteView(kBytes).first(7));
  EXPECT_FALSE(reader.u64().has_value());
  EXPECT_EQ(reader.remaining(), 7u);
  EXPECT_EQ(reader.u32(), 0x01020304u);
  EXPECT_FALSE(reader.u32().has_value());
  EXPECT_EQ(reader.u24(), 0x050607u);
  EXPECT_FALSE(reader.u24().has_value());
  EXPECT_FALSE(reader.u16().has_value());
  EXPECT_FALSE(reader.take(1).has_value());
}

TEST(ByteReader, TakesViewsOfTheUnderlyingBytes) {
  ByteReader reader(kBytes);
  const auto taken = reader.take(5);
  ASSERT_TRUE(taken.has_value());
  EXPECT_EQ(taken->data(), kBytes.data());
  EXPECT_EQ(taken->size(), 5u);
  EXPECT_EQ(reader.rest().data(), kBytes.data() + 5);
  EXPECT_EQ(reader.remaining(), 13u);
  EXPECT_FALSE(reader.take(14).has_value());
  EXPECT_TRUE(reader.take(13).has_value());
  EXPECT_TRUE(reader.take(0).has_value()) << "nothing can always be taken";
}

TEST(ByteReader, OfNothingHasNothing) {
  ByteReader reader({});
  EXPECT_EQ(reader.remaining(), 0u);
  EXPECT_FALSE(reader.u8().has_value());
  EXPECT_TRUE(reader.take(0).has_value());
}

}  // namespace
}  // namespace runnel
