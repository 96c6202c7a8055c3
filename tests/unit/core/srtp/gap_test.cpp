// After a long silence: how far ahead a packet may be, and what forged ones can do about it.
#include <gtest/gtest.h>

#include "tests/unit/core/srtp/receiver_fixture.h"

namespace runnel::srtp::test {
namespace {

class Gap : public ReceiverOfEachProfile {
 protected:
  /// So many packets after rtp_at(0, 1000).
  [[nodiscard]] static Bytes rtp_after(std::uint64_t lost) {
    const std::uint64_t index = 1000 + lost;
    return rtp_at(static_cast<std::uint32_t>(index >> 16),
                  static_cast<std::uint16_t>(index & 0xffff));
  }
};

INSTANTIATE_TEST_SUITE_P(Receiver, Gap, testing::ValuesIn(kProfiles), ProfileName{});

TEST_P(Gap, AsManyRoundsAsAreExpectedAreTriedAndNotOneMore) {
  for (const std::uint32_t rounds : {3U, 4U, 20U, 256U}) {
    const std::uint64_t packets = std::uint64_t{rounds} << 16;
    receiver_ = Receiver(make_key(profile()));
    EXPECT_EQ(take_rtp(rtp_at(0, 1000)), kAccepted);
    receiver_.expect_gap(rounds);
    EXPECT_EQ(take_rtp(rtp_after(packets + 1)), Error::authentication_failed) << rounds;
    EXPECT_EQ(take_rtp(rtp_after(packets)), kAccepted) << rounds;
    EXPECT_EQ(take_rtp(rtp_after(packets)), Error::replayed) << rounds;
    EXPECT_EQ(take_rtp(rtp_after(packets + 1)), kAccepted) << rounds;
  }
}

TEST_P(Gap, ThereIsABoundWhateverIsExpected) {
  EXPECT_EQ(take_rtp(rtp_at(0, 1000)), kAccepted);
  receiver_.expect_gap(kMaxGapRounds + 1);
  EXPECT_EQ(take_rtp(rtp_after((std::uint64_t{kMaxGapRounds} << 16) + 1)),
            Error::authentication_failed);
}

TEST_P(Gap, ForgedPacketsUseUpTheFarSearchesAndTheNextCallAllowsThemAgain) {
  EXPECT_EQ(take_rtp(rtp_at(0, 1000)), kAccepted);
  const Bytes far = rtp_after(200'000);
  Bytes forged = far;
  forged.back() ^= 1;
  receiver_.expect_gap(100);
  for (std::uint32_t i = 0; i < kFarSearches; ++i) {
    EXPECT_EQ(take_rtp(forged), Error::authentication_failed);
  }
  EXPECT_EQ(take_rtp(far), Error::authentication_failed) << "not even looked for";
  receiver_.expect_gap(100);
  EXPECT_EQ(take_rtp(far), kAccepted);
}

TEST_P(Gap, NearPacketsAreFoundEvenWhenTheFarSearchesAreUsedUp) {
  EXPECT_EQ(take_rtp(rtp_at(0, 1000)), kAccepted);
  const Bytes near = rtp_after(100'000);
  Bytes forged = near;
  forged.back() ^= 1;
  receiver_.expect_gap(100);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(take_rtp(forged), Error::authentication_failed);
  EXPECT_EQ(take_rtp(near), kAccepted);
}

TEST_P(Gap, NothingIsLookedForBehindTheLastIndexOfAKey) {
  receiver_ = Receiver(make_key(profile()), {.initial_rollover_counter = 0xffff'fffe});
  EXPECT_EQ(take_rtp(rtp_at(0xffff'fffe, 1000)), kAccepted);
  receiver_.expect_gap(100);
  EXPECT_EQ(take_rtp(rtp_at(0, 1000)), Error::authentication_failed);
  EXPECT_EQ(take_rtp(rtp_at(0xffff'ffff, 60000)), kAccepted);
  receiver_.expect_gap(100);
  EXPECT_EQ(take_rtp(rtp_at(0, 5)), Error::key_expired);
}

}  // namespace
}  // namespace runnel::srtp::test
