#include "core/frames/av1_obu.h"

#include <vector>

#include <gtest/gtest.h>

namespace runnel::frames {
namespace {

using Bytes = std::vector<std::uint8_t>;

TEST(Leb128, IsReadAsItWasWritten) {
  for (const std::uint32_t value : {0u, 1u, 127u, 128u, 16383u, 16384u, 0x0fffffffu, 0xffffffffu}) {
    std::uint8_t out[5];
    const std::size_t size = write_leb128(out, value);
    EXPECT_EQ(size, leb128_size(value));
    const auto read = read_leb128(ByteView(out, size));
    ASSERT_TRUE(read.has_value());
    EXPECT_EQ(read->value, value);
    EXPECT_EQ(read->size, size);
    EXPECT_FALSE(read_leb128(ByteView(out, size - 1)).has_value());
  }
}

TEST(Leb128, MayBeLongerThanNeededButNotThanEightBytesNorAbove32Bits) {
  EXPECT_EQ(read_leb128(Bytes{0x85, 0x80, 0x00})->value, 5u);
  EXPECT_EQ(read_leb128(Bytes{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00})->size, 8u);
  EXPECT_FALSE(read_leb128(Bytes{0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x00}));
  EXPECT_FALSE(read_leb128(Bytes{0xff, 0xff, 0xff, 0xff, 0x1f}));
}

TEST(Obu, IsTakenFromTheLowOverheadFormatWithoutItsSizeField) {
  // Temporal delimiter; a sequence header with extension; a frame without size at the end.
  const Bytes unit = {0x12, 0x00, 0x0e, 0x28, 0x02, 0xaa, 0xbb, 0x30, 0x10, 0x20};
  ObuReader reader(unit);
  EXPECT_EQ(reader.next()->type(), ObuType::temporal_delimiter);

  const auto sequence = reader.next();
  ASSERT_TRUE(sequence.has_value());
  Bytes copied(sequence->size());
  sequence->copy(0, copied);
  EXPECT_EQ(copied, (Bytes{0x0c, 0x28, 0xaa, 0xbb}));
  Bytes middle(2);
  sequence->copy(1, middle);
  EXPECT_EQ(middle, (Bytes{0x28, 0xaa}));

  const auto frame = reader.next();
  ASSERT_TRUE(frame.has_value());
  EXPECT_EQ(frame->type(), ObuType::frame);
  EXPECT_EQ(frame->payload.size(), 2u);
  EXPECT_TRUE(is_key_frame_header(*frame));
  EXPECT_TRUE(reader.done());
}

TEST(Obu, IsRefusedWhenItEndsPastItsBytesOrHasTheForbiddenBit) {
  for (const Bytes& bytes :
       {Bytes{0x0a}, Bytes{0x0a, 0x02, 0x00}, Bytes{0x0c}, Bytes{0x80, 0x00}, Bytes{0x0a, 0x80}}) {
    ObuReader reader(bytes);
    EXPECT_FALSE(reader.next().has_value());
  }
}

std::vector<Bytes> elements_of(const Bytes& payload, bool malformed = false) {
  ObuElementReader reader(payload);
  std::vector<Bytes> elements;
  while (const auto element = reader.next())
    elements.emplace_back(element->begin(), element->end());
  EXPECT_EQ(reader.malformed(), malformed);
  return elements;
}

// RTP Payload Format For AV1 §4.4 and §4.5.
TEST(ObuElements, HaveTheirLengthsUnlessWSaysWhichIsTheLast) {
  const std::vector<Bytes> two = {{0x08, 0x01}, {0x30, 0x02, 0x03}};
  EXPECT_EQ(elements_of({0x00, 2, 0x08, 0x01, 3, 0x30, 0x02, 0x03}), two) << "W=0";
  EXPECT_EQ(elements_of({0x20, 2, 0x08, 0x01, 0x30, 0x02, 0x03}), two) << "W=2";
  EXPECT_EQ(elements_of({0x10, 0x08, 0x01}), std::vector<Bytes>{two[0]}) << "W=1";
  const Bytes three = {0x30, 1, 0x08, 2, 0x28, 0x01, 0x30};
  EXPECT_EQ(elements_of(three), (std::vector<Bytes>{{0x08}, {0x28, 0x01}, {0x30}})) << "W=3";
}

TEST(ObuElements, AreMalformedWhenLengthsOrCountContradictThePayload) {
  for (const Bytes& payload :
       {Bytes{0x00}, Bytes{0x00, 3, 0x08}, Bytes{0x00, 0}, Bytes{0x20, 2, 0x08, 0x01},
        Bytes{0x30, 1, 0x08, 1, 0x08}, Bytes{0x00, 0x80}}) {
    elements_of(payload, true);
  }
}

}  // namespace
}  // namespace runnel::frames
