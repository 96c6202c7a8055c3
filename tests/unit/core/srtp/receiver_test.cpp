// What a receiver promises: first contact, replay, keys by MKI, bounds, and that nothing
// unauthenticated changes it.
#include <gtest/gtest.h>

#include "core/srtp/srtp_receiver.h"
#include "tests/unit/core/srtp/test_support.h"

namespace runnel::srtp::test {
namespace {

constexpr std::uint32_t kSsrc = 0x1122'3344;

class EachProfile : public testing::TestWithParam<Profile> {
 protected:
  [[nodiscard]] static Profile profile() { return GetParam(); }

  /// As a sender with that rollover counter makes it.
  [[nodiscard]] static Bytes rtp_at(std::uint32_t rollover_counter, std::uint16_t sequence_number,
                                    std::uint32_t ssrc = kSsrc) {
    Sender sender(make_key(profile()), {.initial_rollover_counter = rollover_counter});
    return protect_copy(sender, PacketKind::rtp, rtp_packet(ssrc, sequence_number));
  }
  [[nodiscard]] static Bytes rtcp_at(std::uint32_t index, std::uint32_t ssrc = kSsrc) {
    Sender sender(make_key(profile()), {.initial_srtcp_index = index});
    return protect_copy(sender, PacketKind::rtcp, rtcp_packet(ssrc));
  }

  Receiver receiver_{make_key(profile())};

  [[nodiscard]] std::optional<Error> take_rtp(const Bytes& packet) {
    const auto result = unprotect_copy(receiver_, PacketKind::rtp, packet);
    return result ? std::nullopt : std::optional(result.error());
  }
  [[nodiscard]] std::optional<Error> take_rtcp(const Bytes& packet) {
    const auto result = unprotect_copy(receiver_, PacketKind::rtcp, packet);
    return result ? std::nullopt : std::optional(result.error());
  }
};

constexpr std::optional<Error> kAccepted = std::nullopt;

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

TEST_P(EachProfile, EveryFlippedBitIsNoticed) {
  const Bytes rtp = rtp_at(0, 10);
  const Bytes rtcp = rtcp_at(10);
  for (std::size_t bit = 0; bit < rtp.size() * 8; ++bit) {
    Bytes forged = rtp;
    forged[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
    EXPECT_NE(take_rtp(forged), kAccepted) << bit;
  }
  for (std::size_t bit = 0; bit < rtcp.size() * 8; ++bit) {
    Bytes forged = rtcp;
    forged[bit / 8] ^= static_cast<std::uint8_t>(1U << (bit % 8));
    EXPECT_NE(take_rtcp(forged), kAccepted) << bit;
  }
  EXPECT_EQ(receiver_.ssrc_count(), 0U);
  EXPECT_EQ(take_rtp(rtp), kAccepted);
}

TEST_P(EachProfile, EveryTruncationIsRefused) {
  const Bytes rtp = rtp_at(0, 10);
  const Bytes rtcp = rtcp_at(10);
  for (std::size_t size = 0; size < rtp.size(); ++size) {
    EXPECT_NE(take_rtp(Bytes(rtp.begin(), rtp.begin() + static_cast<std::ptrdiff_t>(size))),
              kAccepted);
  }
  for (std::size_t size = 0; size < rtcp.size(); ++size) {
    EXPECT_NE(take_rtcp(Bytes(rtcp.begin(), rtcp.begin() + static_cast<std::ptrdiff_t>(size))),
              kAccepted);
  }
}

TEST_P(EachProfile, EachCauseHasItsError) {
  const std::size_t tag_size = parameters(profile()).rtp_tag_size;
  EXPECT_EQ(take_rtp(Bytes{}), Error::malformed);
  EXPECT_EQ(take_rtp(Bytes(12 + tag_size - 1, 0x80)), Error::malformed);
  Bytes version = rtp_at(0, 1);
  version[0] = 0x40;
  EXPECT_EQ(take_rtp(version), Error::malformed);
  Bytes extension_into_the_tag = rtp_at(0, 1);
  extension_into_the_tag[0] |= 0x10;
  store_be16(extension_into_the_tag.data() + 14, 10);  // 40 bytes; 36 are there before the tag
  EXPECT_EQ(take_rtp(extension_into_the_tag), Error::malformed);
  EXPECT_EQ(take_rtp(Bytes(kPacketCapacity + 1, 0x80)), Error::too_long);
  EXPECT_EQ(take_rtp(Bytes(kPacketCapacity, 0x80)), Error::authentication_failed);
  Sender stranger(make_key(profile(), 2));
  EXPECT_EQ(take_rtp(protect_copy(stranger, PacketKind::rtp, rtp_packet(kSsrc, 1))),
            Error::authentication_failed);
  EXPECT_EQ(receiver_.ssrc_count(), 0U);
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

/// Whatever one can ask a receiver: late, lost, repeated, wrapped, of several SSRCs and both kinds.
std::vector<std::optional<Error>> answers(Receiver& receiver, Profile profile) {
  const MasterKey key = make_key(profile);
  std::vector<std::optional<Error>> results;
  const auto ask = [&](PacketKind kind, const Bytes& packet) {
    const auto result = unprotect_copy(receiver, kind, packet);
    results.push_back(result ? std::nullopt : std::optional(result.error()));
  };
  for (const std::uint32_t ssrc : {1U, 2U, 3U, 4U}) {
    for (const std::uint32_t rollover_counter : {0U, 1U, 2U}) {
      Sender sender(key, {.initial_rollover_counter = rollover_counter,
                          .initial_srtcp_index = rollover_counter * 200});
      for (std::uint32_t i = 0; i < 300; ++i) {
        const auto number = static_cast<std::uint16_t>(65400 + i * 13 % 300);
        ask(PacketKind::rtp, protect_copy(sender, PacketKind::rtp, rtp_packet(ssrc, number)));
        ask(PacketKind::rtcp, protect_copy(sender, PacketKind::rtcp, rtcp_packet(ssrc)));
      }
    }
  }
  return results;
}

TEST_P(EachProfile, AHundredThousandForgedPacketsChangeNothing) {
  const MasterKey key = make_key(profile());
  const ReceiverOptions options{.replay_window = 128, .max_ssrcs = 3};
  Receiver untouched(key, options);
  Receiver attacked(key, options);
  const std::uint32_t known[] = {1, 2, 3};
  for (const std::uint32_t ssrc : known) {
    for (Receiver* receiver : {&untouched, &attacked}) {
      Sender sender(key);
      const Bytes rtp = protect_copy(sender, PacketKind::rtp, rtp_packet(ssrc, 65500));
      const Bytes rtcp = protect_copy(sender, PacketKind::rtcp, rtcp_packet(ssrc));
      EXPECT_TRUE(unprotect_copy(*receiver, PacketKind::rtp, rtp).has_value());
      EXPECT_TRUE(unprotect_copy(*receiver, PacketKind::rtcp, rtcp).has_value());
    }
  }
  Generator generator(1);
  std::vector<Bytes> packets(25);
  std::vector<UnprotectJob> jobs(packets.size());
  for (int batch = 0; batch < 4000; ++batch) {
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      const auto kind = below(generator, 4) == 0 ? PacketKind::rtcp : PacketKind::rtp;
      const auto ssrc = static_cast<std::uint32_t>(below(generator, 6));  // known and unknown
      packets[i] = kind == PacketKind::rtp
                       ? rtp_packet(ssrc, static_cast<std::uint16_t>(generator()), 40)
                       : rtcp_packet(ssrc, 40);
      jobs[i] = {.receiver = &attacked, .kind = kind, .packet = packets[i]};
    }
    unprotect(jobs);
    for (const UnprotectJob& job : jobs) ASSERT_FALSE(job.result.has_value());
  }
  EXPECT_EQ(attacked.ssrc_count(), 3U);
  EXPECT_EQ(answers(attacked, profile()), answers(untouched, profile()));
}

TEST(Receiver, AnAttackerCannotClearTheFlagOfEncryption) {
  for (const Profile profile : kProfiles) {
    const MasterKey key = make_key(profile);
    Sender sender(key);
    Receiver receiver(key);
    Bytes packet = protect_copy(sender, PacketKind::rtcp, rtcp_packet(kSsrc));
    const std::size_t word = packet.size() - (parameters(profile).is_aead ? 4 : 14);
    packet[word] &= 0x7f;
    EXPECT_EQ(unprotect_copy(receiver, PacketKind::rtcp, packet),
              std::unexpected(Error::authentication_failed));
  }
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
