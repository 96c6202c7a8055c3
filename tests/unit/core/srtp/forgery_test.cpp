// Whatever is not authentic is refused with its reason, and changes nothing.
#include <gtest/gtest.h>

#include "core/base/packet_slab.h"
#include "tests/unit/core/srtp/receiver_fixture.h"

namespace runnel::srtp::test {
namespace {

class Forgery : public ReceiverOfEachProfile {};

INSTANTIATE_TEST_SUITE_P(Receiver, Forgery, testing::ValuesIn(kProfiles), ProfileName{});

TEST_P(Forgery, EveryFlippedBitIsNoticed) {
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

TEST_P(Forgery, EveryTruncationIsRefused) {
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

TEST_P(Forgery, EachCauseHasItsError) {
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

TEST_P(Forgery, AHundredThousandForgedPacketsChangeNothing) {
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

TEST_P(Forgery, TheFlagOfEncryptionCannotBeCleared) {
  Bytes packet = rtcp_at(10);
  const std::size_t word = packet.size() - (parameters(profile()).is_aead ? 4 : 14);
  packet[word] &= 0x7f;
  EXPECT_EQ(take_rtcp(packet), Error::authentication_failed);
}

}  // namespace
}  // namespace runnel::srtp::test
