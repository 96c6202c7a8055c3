// SSRCs that look like chance, of which none comes twice.
#include "core/relay/ssrc_sequence.h"

#include <bit>
#include <vector>

#include <gtest/gtest.h>

#include "fixture.h"

namespace runnel::relay {
namespace {

TEST(SsrcSequence, none_of_sixteen_million_comes_twice) {
  SeededRandom random;
  SsrcSequence sequence(random);
  std::vector<bool> drawn(std::size_t{1} << 32);
  for (int i = 0; i < 1 << 24; ++i) {
    const std::uint32_t ssrc = sequence.next();
    ASSERT_FALSE(drawn[ssrc]) << i;
    drawn[ssrc] = true;
  }
}

TEST(SsrcSequence, neighbours_have_nothing_in_common) {
  SeededRandom random;
  SsrcSequence sequence(random);
  constexpr int kPairs = 100'000;
  std::uint64_t differing_bits = 0;
  std::uint32_t before = sequence.next();
  for (int i = 0; i < kPairs; ++i) {
    const std::uint32_t ssrc = sequence.next();
    differing_bits += static_cast<std::uint64_t>(std::popcount(before ^ ssrc));
    before = ssrc;
  }
  EXPECT_NEAR(static_cast<double>(differing_bits) / kPairs, 16.0, 0.1);
}

TEST(SsrcSequence, two_engines_draw_others) {
  SeededRandom random;
  SsrcSequence one(random);
  SsrcSequence other(random);
  int same = 0;
  for (int i = 0; i < 10'000; ++i) same += one.next() == other.next() ? 1 : 0;
  EXPECT_LE(same, 1);
}

}  // namespace
}  // namespace runnel::relay
