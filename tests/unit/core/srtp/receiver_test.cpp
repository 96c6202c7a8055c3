// What a receiver promises: first contact, replay, keys by MKI, and bounds.
#include <gtest/gtest.h>

#include "core/srtp/srtp_receiver.h"
#include "tests/unit/core/srtp/receiver_fixture.h"

namespace runnel::srtp::test {
namespace {

class EachProfile : public ReceiverOfEachProfile {};

INSTANTIATE_TEST_SUITE_P(Receiver, EachProfile, testing::ValuesIn(kProfiles), ProfileName{});

TEST_P(EachProfile, AJoinerWhoMissedThePacketsBeforeTheWrapDecryptsAllTheSame) {
  EXPECT_EQ(take_rtp(rtp_at(1, 2)), kAccepted);
  EXPECT_EQ(take_rtp(rtp_at(1, 3)), kAccepted);
  EXPECT_EQ(take_rtp(rtp_at(0, 65535)), kAccepted);  // late, and still inside the window
}

TEST_P(EachProfile, FirstContactTriesThePredecessorToo) {
  receiver_ = Receiver(make_key(profile()), {.initial_rollover_counter = 8});
  EXPECT_EQ(take_rtp(rtp_at(7, 65535)), kAccepted);
  EXPECT_EQ(take_rtp(rtp_at(8, 0)), kAccepted);
}

TEST_P(EachProfile, FirstContactTriesNothingFartherAway) {
  receiver_ = Receiver(make_key(profile()), {.initial_rollover_counter = 8});
  EXPECT_EQ(take_rtp(rtp_at(6, 65535)), Error::authentication_failed);
  EXPECT_EQ(take_rtp(rtp_at(10, 0)), Error::authentication_failed);
  EXPECT_EQ(receiver_.ssrc_count(), 0U);
}

TEST_P(EachProfile, FirstContactAtTheEndsOfTheRange) {
  EXPECT_EQ(take_rtp(rtp_at(0xffff'ffff, 5)), Error::authentication_failed);
  receiver_ = Receiver(make_key(profile()), {.initial_rollover_counter = 0xffff'ffff});
  EXPECT_EQ(take_rtp(rtp_at(0, 5)), Error::authentication_failed);
  EXPECT_EQ(take_rtp(rtp_at(0xffff'ffff, 65535)), kAccepted);
  EXPECT_EQ(take_rtp(rtp_at(0, 0)), Error::key_expired);
}

TEST_P(EachProfile, AKnownSsrcIsNotTriedUnderOtherRolloverCounters) {
  EXPECT_EQ(take_rtp(rtp_at(0, 1000)), kAccepted);
  EXPECT_EQ(take_rtp(rtp_at(1, 1001)), Error::authentication_failed);
}

TEST_P(EachProfile, AfterAGapOfUnknownLengthLaterRolloverCountersAreTried) {
  for (const std::uint64_t step : {1U, 32767U, 32768U, 40000U, 65535U, 65536U, 100000U}) {
    receiver_ = Receiver(make_key(profile()));
    EXPECT_EQ(take_rtp(rtp_at(0, 1000)), kAccepted);
    const std::uint64_t index = 1000 + step;
    const Bytes packet =
        rtp_at(static_cast<std::uint32_t>(index >> 16), static_cast<std::uint16_t>(index & 0xffff));
    receiver_.expect_gap(kNearRounds);
    EXPECT_EQ(take_rtp(packet), kAccepted) << step;
    EXPECT_EQ(take_rtp(packet), Error::replayed) << step;
  }
}

TEST_P(EachProfile, AGapLetsNoOldPacketIn) {
  const Bytes old = rtp_at(0, 1000);
  EXPECT_EQ(take_rtp(old), kAccepted);
  EXPECT_EQ(take_rtp(rtp_at(0, 1001)), kAccepted);
  receiver_.expect_gap(kNearRounds);
  EXPECT_EQ(take_rtp(old), Error::authentication_failed);
  EXPECT_EQ(take_rtp(rtp_at(0, 1002)), kAccepted);
  EXPECT_EQ(take_rtp(old), Error::replayed);
}

TEST_P(EachProfile, TheFirstPacketsAfterAGapMayComeInOneBatch) {
  EXPECT_EQ(take_rtp(rtp_at(0, 1000)), kAccepted);
  receiver_.expect_gap(kNearRounds);
  std::array packets{rtp_at(0, 60000), rtp_at(0, 60001), rtp_at(1, 5)};
  std::vector<UnprotectJob> jobs;
  for (Bytes& packet : packets) jobs.push_back({&receiver_, PacketKind::rtp, packet, 0});
  unprotect(jobs);
  for (const UnprotectJob& job : jobs) EXPECT_TRUE(job.result.has_value());
}

TEST_P(EachProfile, BeforeTheFirstPacketOfAllThereIsNone) {
  EXPECT_EQ(take_rtp(rtp_at(0, 3)), kAccepted);
  EXPECT_EQ(take_rtp(rtp_at(0, 65535)), Error::too_old);
  EXPECT_EQ(take_rtp(rtp_at(0, 4)), kAccepted);
}

TEST_P(EachProfile, EachPacketIsAcceptedOnce) {
  const Bytes rtp = rtp_at(0, 10);
  EXPECT_EQ(take_rtp(rtp), kAccepted);
  EXPECT_EQ(take_rtp(rtp), Error::replayed);
  const Bytes rtcp = rtcp_at(10);
  EXPECT_EQ(take_rtcp(rtcp), kAccepted);
  EXPECT_EQ(take_rtcp(rtcp), Error::replayed);
}

TEST_P(EachProfile, TheWindowEndsWhereItSaysForBothKinds) {
  receiver_ = Receiver(make_key(profile()), {.replay_window = 128});
  EXPECT_EQ(take_rtp(rtp_at(0, 1000)), kAccepted);
  EXPECT_EQ(take_rtp(rtp_at(0, 1000 - 127)), kAccepted);
  EXPECT_EQ(take_rtp(rtp_at(0, 1000 - 128)), Error::too_old);
  EXPECT_EQ(take_rtcp(rtcp_at(1000)), kAccepted);
  EXPECT_EQ(take_rtcp(rtcp_at(1000 - 127)), kAccepted);
  EXPECT_EQ(take_rtcp(rtcp_at(1000 - 128)), Error::too_old);
}

TEST_P(EachProfile, RtcpOfAnSsrcDoesNotSpoilTheFirstContactOfItsRtp) {
  EXPECT_EQ(take_rtcp(rtcp_at(5)), kAccepted);
  EXPECT_EQ(take_rtp(rtp_at(1, 2)), kAccepted);
  EXPECT_EQ(receiver_.ssrc_count(), 1U);
}

TEST_P(EachProfile, LastRtcpIndexIsAccepted) {
  EXPECT_EQ(take_rtcp(rtcp_at(0x7fff'ffff)), kAccepted);
  EXPECT_EQ(take_rtcp(rtcp_at(0x7fff'fffe)), kAccepted);
  EXPECT_EQ(take_rtcp(rtcp_at(0)), Error::too_old);
}

TEST_P(EachProfile, TheBoundOfSsrcsHoldsAndTheLeastRecentlyUsedMakesRoom) {
  receiver_ = Receiver(make_key(profile()), {.max_ssrcs = 3});
  for (const std::uint32_t ssrc : {1U, 2U, 3U}) EXPECT_EQ(take_rtp(rtp_at(0, 10, ssrc)), kAccepted);
  EXPECT_EQ(receiver_.ssrc_count(), 3U);
  EXPECT_EQ(take_rtp(rtp_at(0, 11, 1)), kAccepted);  // now 2 is the oldest
  EXPECT_EQ(take_rtcp(rtcp_at(0, 4)), kAccepted);    // takes its place
  EXPECT_EQ(receiver_.ssrc_count(), 3U);
  EXPECT_EQ(take_rtp(rtp_at(0, 11, 1)), Error::replayed);
  EXPECT_EQ(take_rtp(rtp_at(0, 10, 3)), Error::replayed);
  EXPECT_EQ(take_rtp(rtp_at(0, 10, 2)), kAccepted);  // forgotten, and back; 3 had to go
  EXPECT_EQ(take_rtp(rtp_at(0, 11, 1)), Error::replayed);
}

TEST_P(EachProfile, ResetForgetsAllSsrcs) {
  EXPECT_EQ(take_rtp(rtp_at(0, 10)), kAccepted);
  receiver_.reset();
  EXPECT_EQ(receiver_.ssrc_count(), 0U);
  EXPECT_EQ(take_rtp(rtp_at(0, 10)), kAccepted);
}

TEST_P(EachProfile, KeysAreToldApartByMkiAndKeepOneRolloverCounter) {
  const Bytes first_mki = from_hex("0001");
  const Bytes second_mki = from_hex("0002");
  const MasterKey keys[] = {make_key(profile(), 1, first_mki), make_key(profile(), 2, second_mki)};
  Receiver receiver(keys);
  Sender first(keys[0]);
  Sender second(keys[1], {.initial_rollover_counter = 1, .initial_srtcp_index = 1});
  Sender third(make_key(profile(), 1, from_hex("0003")));
  const Bytes before = rtp_packet(kSsrc, 65535);
  const Bytes after = rtp_packet(kSsrc, 0);
  EXPECT_EQ(unprotect_copy(receiver, PacketKind::rtp, protect_copy(first, PacketKind::rtp, before)),
            before);
  EXPECT_EQ(unprotect_copy(receiver, PacketKind::rtp, protect_copy(second, PacketKind::rtp, after)),
            after);
  EXPECT_EQ(unprotect_copy(receiver, PacketKind::rtp, protect_copy(third, PacketKind::rtp, after)),
            std::unexpected(Error::unknown_mki));
  const Bytes report = rtcp_packet(kSsrc);
  for (Sender* sender : {&first, &second}) {
    EXPECT_EQ(
        unprotect_copy(receiver, PacketKind::rtcp, protect_copy(*sender, PacketKind::rtcp, report)),
        report);
  }
  EXPECT_EQ(
      unprotect_copy(receiver, PacketKind::rtcp, protect_copy(third, PacketKind::rtcp, report)),
      std::unexpected(Error::unknown_mki));
}

TEST_P(EachProfile, AnMkiWhereNoneIsExpectedFailsAndTheOtherWayRound) {
  const Bytes mki = from_hex("0001");
  Sender with_mki(make_key(profile(), 1, mki));
  EXPECT_EQ(take_rtp(protect_copy(with_mki, PacketKind::rtp, rtp_packet(kSsrc, 1))),
            Error::authentication_failed);
  receiver_ = Receiver(make_key(profile(), 1, mki));
  EXPECT_EQ(take_rtp(rtp_at(0, 1)), Error::unknown_mki);
}

TEST(ReceiverDeathTest, ImpossibleOptionsAreABug) {
  const MasterKey key = make_key(Profile::aes_cm_128_hmac_sha1_80);
  EXPECT_DEATH(Receiver(key, {.replay_window = 0}), "");
  EXPECT_DEATH(Receiver(key, {.replay_window = 100}), "");
  EXPECT_DEATH(Receiver(key, {.replay_window = 32768 + 64}), "");
  EXPECT_DEATH(Receiver(key, {.max_ssrcs = 0}), "");
  const MasterKey same_mki[] = {make_key(Profile::aead_aes_128_gcm, 1, from_hex("01")),
                                make_key(Profile::aead_aes_128_gcm, 2, from_hex("01"))};
  EXPECT_DEATH(Receiver{std::span(same_mki)}, "");
  const MasterKey other_length[] = {make_key(Profile::aead_aes_128_gcm, 1, from_hex("01")),
                                    make_key(Profile::aead_aes_128_gcm, 2, from_hex("0102"))};
  EXPECT_DEATH(Receiver{std::span(other_length)}, "");
  const MasterKey other_profile[] = {make_key(Profile::aead_aes_128_gcm, 1, from_hex("01")),
                                     make_key(Profile::aead_aes_256_gcm, 2, from_hex("02"))};
  EXPECT_DEATH(Receiver{std::span(other_profile)}, "");
}

}  // namespace
}  // namespace runnel::srtp::test
