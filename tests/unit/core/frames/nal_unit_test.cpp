#include "core/frames/nal_unit.h"

#include <vector>

#include <gtest/gtest.h>

namespace runnel::frames {
namespace {

using Bytes = std::vector<std::uint8_t>;

template <typename Reader>
std::vector<Bytes> all(Reader& reader) {
  std::vector<Bytes> units;
  while (const auto unit = reader.next()) units.emplace_back(unit->begin(), unit->end());
  return units;
}

std::vector<Bytes> units_of(const Bytes& stream) {
  AnnexBReader reader(stream);
  return all(reader);
}

TEST(AnnexB, IsCutAtStartCodesOfThreeAndFourBytes) {
  EXPECT_EQ(units_of({0, 0, 0, 1, 0x67, 0x42, 0, 0, 1, 0x68, 0, 0, 0, 1, 0x65}),
            (std::vector<Bytes>{{0x67, 0x42}, {0x68}, {0x65}}));
}

TEST(AnnexB, LosesZerosBehindAUnitAndWhatIsBeforeTheFirstStartCode) {
  EXPECT_EQ(units_of({7, 7, 0, 0, 1, 0x41, 0x00, 0x00, 0x00, 0x00, 0, 0, 1, 0x42, 0x00}),
            (std::vector<Bytes>{{0x41}, {0x42}}));
}

TEST(AnnexB, KeepsWhatOnlyLooksLikeAStartCode) {
  EXPECT_EQ(units_of({0, 0, 1, 1, 0, 1, 1, 0, 0, 3, 1}),
            (std::vector<Bytes>{{1, 0, 1, 1, 0, 0, 3, 1}}));
}

TEST(AnnexB, WithoutStartCodeOrUnitsHasNothing) {
  EXPECT_TRUE(units_of({}).empty());
  EXPECT_TRUE(units_of({0, 0}).empty());
  EXPECT_TRUE(units_of({0x67, 0x42, 0x00, 0x1e}).empty());
  EXPECT_TRUE(units_of({0, 0, 1}).empty());
  EXPECT_TRUE(units_of({0, 0, 1, 0, 0, 1, 0, 0, 0, 1}).empty());
}

TEST(Aggregate, GivesEachUnitByItsLength) {
  const Bytes payload = {0, 1, 0x67, 0, 2, 0x68, 0x69};
  AggregateReader reader(payload);
  EXPECT_EQ(all(reader), (std::vector<Bytes>{{0x67}, {0x68, 0x69}}));
  EXPECT_FALSE(reader.malformed());
}

TEST(Aggregate, IsMalformedWhenAUnitIsEmptyOrTooLong) {
  for (const Bytes& payload : {Bytes{0}, Bytes{0, 0}, Bytes{0, 2, 1}, Bytes{0, 1, 1, 0, 1}}) {
    AggregateReader reader(payload);
    while (reader.next()) {
    }
    EXPECT_TRUE(reader.malformed());
  }
}

}  // namespace
}  // namespace runnel::frames
