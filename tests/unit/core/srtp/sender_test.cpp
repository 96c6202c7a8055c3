// What a sender promises: sizes, limits, lifetimes, and that a refused packet changes nothing.
#include <gtest/gtest.h>

#include "core/base/packet_slab.h"
#include "core/srtp/srtp_sender.h"
#include "tests/unit/core/srtp/test_support.h"

namespace runnel::srtp::test {
namespace {

std::expected<std::size_t, Error> protect_rtp(Sender& sender, std::uint32_t ssrc,
                                              std::uint16_t sequence_number) {
  Bytes buffer = rtp_packet(ssrc, sequence_number);
  const std::size_t size = buffer.size();
  buffer.resize(size + sender.overhead(PacketKind::rtp));
  return sender.protect_in_place(PacketKind::rtp, buffer, size);
}

std::expected<std::size_t, Error> protect_rtcp(Sender& sender, std::uint32_t ssrc) {
  Bytes buffer = rtcp_packet(ssrc);
  const std::size_t size = buffer.size();
  buffer.resize(size + sender.overhead(PacketKind::rtcp));
  return sender.protect_in_place(PacketKind::rtcp, buffer, size);
}

TEST(Sender, OverheadIsTagMkiAndIndex) {
  const Sender plain(make_key(Profile::aes_cm_128_hmac_sha1_32));
  EXPECT_EQ(plain.overhead(PacketKind::rtp), 4U);
  EXPECT_EQ(plain.overhead(PacketKind::rtcp), 4U + 10U);
  const Sender with_mki(make_key(Profile::aead_aes_128_gcm, 1, from_hex("010203")));
  EXPECT_EQ(with_mki.overhead(PacketKind::rtp), 16U + 3U);
  EXPECT_EQ(with_mki.overhead(PacketKind::rtcp), 4U + 16U + 3U);
}

TEST(Sender, AnExactFitIsEnoughAndOneByteLessIsTooLong) {
  for (const Profile profile : kProfiles) {
    for (const PacketKind kind : {PacketKind::rtp, PacketKind::rtcp}) {
      Sender sender(make_key(profile));
      const Bytes clear = kind == PacketKind::rtp ? rtp_packet(kSsrc, 7) : rtcp_packet(kSsrc);
      Bytes buffer = clear;
      buffer.resize(clear.size() + sender.overhead(kind));
      EXPECT_EQ(
          sender.protect_in_place(kind, ByteSpan(buffer).first(buffer.size() - 1), clear.size()),
          std::unexpected(Error::too_long));
      EXPECT_EQ(sender.protect_in_place(kind, buffer, clear.size()), buffer.size());
    }
  }
}

TEST(Sender, NothingLongerThanAPacketSlotIsMade) {
  for (const Profile profile : kProfiles) {
    Sender sender(make_key(profile));
    const std::size_t longest = kPacketCapacity - sender.overhead(PacketKind::rtp);
    Bytes buffer = rtp_packet(kSsrc, 1, longest - 12);
    buffer.resize(kPacketCapacity + 100);
    EXPECT_EQ(sender.protect_in_place(PacketKind::rtp, buffer, longest), kPacketCapacity);
    EXPECT_EQ(sender.protect_in_place(PacketKind::rtp, buffer, longest + 1).error(),
              Error::too_long);
  }
}

TEST(Sender, EverySizeUpToTheLongestDatagramTravels) {
  const Bytes mki = from_hex("00000001");
  for (const Profile profile : kProfiles) {
    const MasterKey key = make_key(profile, 1, mki);
    Sender sender(key);
    Receiver receiver(key);
    for (std::size_t size = 12; size <= kMaxDatagramSize; ++size) {
      const auto number = static_cast<std::uint16_t>(size);
      const Bytes clear = rtp_packet(kSsrc, number, size - 12);
      const Bytes packet = protect_copy(sender, PacketKind::rtp, clear);
      ASSERT_EQ(unprotect_copy(receiver, PacketKind::rtp, packet), clear) << size;
    }
    for (std::size_t size = 8; size <= 600; ++size) {
      const Bytes clear = rtcp_packet(kSsrc, size - 8);
      const Bytes packet = protect_copy(sender, PacketKind::rtcp, clear);
      ASSERT_EQ(unprotect_copy(receiver, PacketKind::rtcp, packet), clear) << size;
    }
  }
}

TEST(Sender, HeaderWithContributingSourcesAndExtensionStaysInTheClear) {
  for (const Profile profile : kProfiles) {
    const MasterKey key = make_key(profile);
    Sender sender(key);
    Receiver receiver(key);
    Bytes clear = from_hex("92601234000003e811223344aaaaaaaabbbbbbbbbede000110ff0000");
    const std::size_t header_size = clear.size();
    clear.insert(clear.end(), 30, 0x77);
    const Bytes packet = protect_copy(sender, PacketKind::rtp, clear);
    EXPECT_TRUE(std::equal(clear.begin(), clear.begin() + static_cast<std::ptrdiff_t>(header_size),
                           packet.begin()));
    EXPECT_NE(packet[header_size], clear[header_size]);
    EXPECT_EQ(unprotect_copy(receiver, PacketKind::rtp, packet), clear);
  }
}

TEST(Sender, WhatIsNoPacketIsMalformed) {
  Sender sender(make_key(Profile::aes_cm_128_hmac_sha1_80));
  Bytes buffer = rtp_packet(kSsrc, 1);
  buffer.resize(200);
  EXPECT_EQ(sender.protect_in_place(PacketKind::rtp, buffer, 11).error(), Error::malformed);
  EXPECT_EQ(sender.protect_in_place(PacketKind::rtcp, buffer, 7).error(), Error::malformed);
  EXPECT_EQ(sender.protect_in_place(PacketKind::rtp, buffer, 201).error(), Error::too_long);
  buffer[0] = 0x40;  // version 1
  EXPECT_EQ(sender.protect_in_place(PacketKind::rtp, buffer, 52).error(), Error::malformed);
  EXPECT_EQ(sender.protect_in_place(PacketKind::rtcp, buffer, 52).error(), Error::malformed);
  buffer[0] = 0x8f;  // 15 contributing sources in 52 bytes
  EXPECT_EQ(sender.protect_in_place(PacketKind::rtp, buffer, 52).error(), Error::malformed);
}

TEST(Sender, AHeaderSizeThatIsNotTheHeadersIsMalformed) {
  Sender sender(make_key(Profile::aes_cm_128_hmac_sha1_80));
  Bytes out = rtp_packet(kSsrc, 1, 100);
  const Bytes payload(20);
  ProtectJob job{.sender = &sender, .out = out, .header_size = 16, .payload = payload};
  protect({&job, 1});
  EXPECT_EQ(job.result.error(), Error::malformed);
  job.header_size = out.size() + 1;
  protect({&job, 1});
  EXPECT_EQ(job.result.error(), Error::malformed);
}

TEST(Sender, OutOfPlaceEqualsInPlace) {
  for (const Profile profile : kProfiles) {
    for (const PacketKind kind : {PacketKind::rtp, PacketKind::rtcp}) {
      const MasterKey key = make_key(profile);
      Sender in_place(key);
      Sender out_of_place(key);
      const Bytes clear =
          kind == PacketKind::rtp ? rtp_packet(kSsrc, 9, 333) : rtcp_packet(kSsrc, 100);
      const std::size_t header_size = kind == PacketKind::rtp ? 12 : 8;
      const Bytes expected = protect_copy(in_place, kind, clear);
      Bytes out(expected.size());
      std::copy_n(clear.begin(), header_size, out.begin());
      ProtectJob job{.sender = &out_of_place,
                     .kind = kind,
                     .out = out,
                     .header_size = header_size,
                     .payload = ByteView(clear).subspan(header_size)};
      protect({&job, 1});
      EXPECT_EQ(job.result, expected.size());
      EXPECT_EQ(out, expected);
    }
  }
}

TEST(Sender, RolloverCounterRisesAtTheWrapAndReorderingIsUnderstood) {
  const MasterKey key = make_key(Profile::aes_cm_128_hmac_sha1_80);
  Sender sender(key);
  Receiver receiver(key);
  for (const int number : {65534, 0, 65535, 1}) {
    const Bytes clear = rtp_packet(kSsrc, static_cast<std::uint16_t>(number));
    EXPECT_EQ(
        unprotect_copy(receiver, PacketKind::rtp, protect_copy(sender, PacketKind::rtp, clear)),
        clear);
  }
}

TEST(Sender, ALateNumberDoesNotTakeTheRolloverCounterBack) {
  const MasterKey key = make_key(Profile::aes_cm_128_hmac_sha1_80);
  Sender sender(key);
  Receiver receiver(key, {.replay_window = kMaxReplayWindow});
  for (const int number : {40'000, 10'000, 45'000}) {
    const Bytes clear = rtp_packet(kSsrc, static_cast<std::uint16_t>(number));
    EXPECT_EQ(
        unprotect_copy(receiver, PacketKind::rtp, protect_copy(sender, PacketKind::rtp, clear)),
        clear);
  }
}

TEST(Sender, BeforeTheFirstPacketOfAllThereIsNone) {
  Sender sender(make_key(Profile::aes_cm_128_hmac_sha1_80));
  EXPECT_TRUE(protect_rtp(sender, kSsrc, 3).has_value());
  EXPECT_EQ(protect_rtp(sender, kSsrc, 65535).error(), Error::too_old);
  EXPECT_TRUE(protect_rtp(sender, kSsrc, 4).has_value());
}

TEST(Sender, TakesExactlyAsManySsrcsAsItMay) {
  Sender sender(make_key(Profile::aead_aes_128_gcm), {.max_ssrcs = 3});
  for (const std::uint32_t ssrc : {1U, 2U, 3U}) EXPECT_TRUE(protect_rtp(sender, ssrc, 1));
  EXPECT_EQ(protect_rtp(sender, 4, 1).error(), Error::too_many_ssrcs);
  EXPECT_EQ(protect_rtcp(sender, 4).error(), Error::too_many_ssrcs);
  EXPECT_TRUE(protect_rtcp(sender, 3).has_value());
  EXPECT_TRUE(protect_rtp(sender, 1, 2).has_value());
}

TEST(Sender, AForgottenSsrcMakesRoomForOneMore) {
  Sender sender(make_key(Profile::aead_aes_128_gcm), {.max_ssrcs = 3});
  for (const std::uint32_t ssrc : {1U, 2U, 3U}) EXPECT_TRUE(protect_rtp(sender, ssrc, 1));
  sender.forget(2);
  sender.forget(2);
  EXPECT_TRUE(protect_rtp(sender, 4, 1).has_value());
  EXPECT_EQ(protect_rtp(sender, 5, 1).error(), Error::too_many_ssrcs);
  EXPECT_EQ(protect_rtcp(sender, 5).error(), Error::too_many_ssrcs);
}

TEST(Sender, ForgetsSsrcsWithoutEnd) {
  Sender sender(make_key(Profile::aead_aes_128_gcm), {.max_ssrcs = 2});
  for (std::uint32_t ssrc = 1; ssrc < 2'000; ++ssrc) {
    ASSERT_TRUE(protect_rtp(sender, ssrc, 1).has_value());
    ASSERT_TRUE(protect_rtcp(sender, ssrc).has_value());
    sender.forget(ssrc - 1);
  }
}

// RFC 3711 §9.1: their indices go on.
TEST(Sender, TheOthersAreWhatTheyWereWhenOneIsForgotten) {
  const MasterKey key = make_key(Profile::aes_cm_128_hmac_sha1_80);
  for (const std::uint32_t forgotten : {1U, 2U, 3U}) {
    Sender sender(key);
    Receiver receiver(key);
    const auto travels = [&](PacketKind kind, const Bytes& clear) {
      return unprotect_copy(receiver, kind, protect_copy(sender, kind, clear)) == clear;
    };
    for (const std::uint32_t ssrc : {1U, 2U, 3U}) {
      for (const std::uint16_t number : {std::uint16_t{65'535}, std::uint16_t{0}}) {
        EXPECT_TRUE(travels(PacketKind::rtp, rtp_packet(ssrc, number)));
        EXPECT_TRUE(travels(PacketKind::rtcp, rtcp_packet(ssrc)));
      }
    }
    sender.forget(forgotten);
    for (const std::uint32_t ssrc : {1U, 2U, 3U}) {
      if (ssrc == forgotten) continue;
      EXPECT_TRUE(travels(PacketKind::rtp, rtp_packet(ssrc, 1)))
          << ssrc << " without " << forgotten;
      EXPECT_TRUE(travels(PacketKind::rtcp, rtcp_packet(ssrc))) << ssrc << " without " << forgotten;
    }
  }
}

TEST(Sender, WhatForgottenSsrcsHaveSentCountsForTheKey) {
  Sender sender(make_key(Profile::aead_aes_256_gcm), {.initial_srtcp_index = 0x7fff'fffd});
  for (const std::uint32_t ssrc : {1U, 2U, 3U}) {
    EXPECT_TRUE(protect_rtcp(sender, ssrc).has_value());
    sender.forget(ssrc);
  }
  EXPECT_EQ(protect_rtcp(sender, 4).error(), Error::key_expired);
}

// RFC 3711 §9.2.
TEST(Sender, KeyEndsAtTheLastPacketIndex) {
  Sender sender(make_key(Profile::aes_cm_128_hmac_sha1_80),
                {.initial_rollover_counter = 0xffff'ffff});
  EXPECT_TRUE(protect_rtp(sender, kSsrc, 65534).has_value());
  EXPECT_TRUE(protect_rtp(sender, kSsrc, 65535).has_value());
  EXPECT_EQ(protect_rtp(sender, kSsrc, 0).error(), Error::key_expired);
}

TEST(Sender, KeyEndsAfterTwoToThe48PacketsOfAllSsrcsTogether) {
  Sender sender(make_key(Profile::aes_cm_128_hmac_sha1_80),
                {.initial_rollover_counter = 0xffff'ffff});
  for (std::uint32_t i = 0; i < 0x10000; ++i) {
    ASSERT_TRUE(protect_rtp(sender, i % 2, static_cast<std::uint16_t>(i / 2)).has_value());
  }
  EXPECT_EQ(protect_rtp(sender, 0, 0x8000).error(), Error::key_expired);
  EXPECT_EQ(protect_rtp(sender, 2, 0).error(), Error::key_expired);
  EXPECT_TRUE(protect_rtcp(sender, 0).has_value());
}

TEST(Sender, KeyEndsAfterTwoToThe31RtcpPackets) {
  const MasterKey key = make_key(Profile::aead_aes_256_gcm);
  Sender sender(key, {.initial_srtcp_index = 0x7fff'fffd});
  Receiver receiver(key);
  for (const std::uint32_t ssrc : {1U, 1U, 2U}) {
    const Bytes clear = rtcp_packet(ssrc);
    EXPECT_EQ(
        unprotect_copy(receiver, PacketKind::rtcp, protect_copy(sender, PacketKind::rtcp, clear)),
        clear);
  }
  EXPECT_EQ(protect_rtcp(sender, 1).error(), Error::key_expired);
  EXPECT_EQ(protect_rtcp(sender, 3).error(), Error::key_expired);
  EXPECT_TRUE(protect_rtp(sender, 1, 1).has_value());
}

// RFC 3711 §3.4: starts at 0, counts each SSRC apart.
TEST(Sender, RtcpIndexCountsFromZeroForEachSsrc) {
  Sender sender(make_key(Profile::aes_cm_128_hmac_sha1_80));
  const auto index_word = [&](std::uint32_t ssrc) {
    const Bytes packet = protect_copy(sender, PacketKind::rtcp, rtcp_packet(ssrc));
    return load_be32(packet.data() + packet.size() - 14);
  };
  EXPECT_EQ(index_word(1), 0x8000'0000U);
  EXPECT_EQ(index_word(1), 0x8000'0001U);
  EXPECT_EQ(index_word(2), 0x8000'0000U);
}

TEST(Sender, ARefusedPacketTakesNoIndex) {
  Sender sender(make_key(Profile::aes_cm_128_hmac_sha1_80), {.max_ssrcs = 1});
  Bytes short_buffer = rtcp_packet(kSsrc);
  EXPECT_EQ(sender.protect_in_place(PacketKind::rtcp, short_buffer, short_buffer.size()).error(),
            Error::too_long);
  EXPECT_TRUE(protect_rtcp(sender, kSsrc + 1).has_value());  // and no context
}

TEST(Sender, MovesWithItsState) {
  const MasterKey key = make_key(Profile::aes_cm_128_hmac_sha1_80);
  Sender first(key);
  EXPECT_TRUE(protect_rtp(first, kSsrc, 65535).has_value());
  Sender second(std::move(first));
  Receiver receiver(key, {.initial_rollover_counter = 1});
  const Bytes clear = rtp_packet(kSsrc, 0);
  EXPECT_EQ(unprotect_copy(receiver, PacketKind::rtp, protect_copy(second, PacketKind::rtp, clear)),
            clear);
}

}  // namespace
}  // namespace runnel::srtp::test
