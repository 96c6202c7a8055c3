#include "core/rtp/rtcp_packet.h"

#include <array>
#include <string>

#include <gtest/gtest.h>

#include "tests/unit/core/rtp/vectors.h"

namespace runnel::rtp {
namespace {

constexpr const char* kPli = "81ce0002 11111111 22222222 ";
constexpr const char* kEmptyRr = "80c90001 11111111 ";

std::string verdict(const std::string& hex) {
  const auto checked = check_rtcp(from_hex(hex));
  return checked ? "good" : std::string(to_string(checked.error()));
}

/// The first packet of a compound that stays alive as long as this object.
struct FirstPacket {
  explicit FirstPacket(const std::string& hex)
      : bytes(from_hex(hex)), view(RtcpReader(bytes).next().value_or(RtcpPacketView{})) {}
  Bytes bytes;
  RtcpPacketView view;
};

TEST(CheckRtcp, SaysWhatIsWrongWithAFrame) {
  EXPECT_EQ(verdict(""), "truncated");
  EXPECT_EQ(verdict("80c900"), "truncated");
  EXPECT_EQ(verdict("80c90002 11111111"), "truncated");
  EXPECT_EQ(verdict("00c90001 11111111"), "wrong version");
  EXPECT_EQ(verdict("c0c90001 11111111"), "wrong version");
  EXPECT_EQ(verdict("80600001 11111111"), "bad packet type");
  EXPECT_EQ(verdict("80bf0001 11111111"), "bad packet type");
  EXPECT_EQ(verdict("80e00001 11111111"), "bad packet type");
  EXPECT_EQ(verdict("80c90000"), "bad length");
  EXPECT_EQ(verdict(kEmptyRr), "good");
}

TEST(CheckRtcp, LooksAtEveryPacketOfACompound) {
  const std::string rr = kEmptyRr;
  EXPECT_EQ(verdict(rr + kPli), "good");
  EXPECT_EQ(verdict(rr + "41ce0002 11111111 22222222"), "wrong version");
  EXPECT_EQ(verdict(rr + "81600002 11111111 22222222"), "bad packet type");
  EXPECT_EQ(verdict(rr + "81ce0001 11111111"), "bad length");
  EXPECT_EQ(verdict(rr + "81ce0003 11111111 22222222"), "truncated");
}

TEST(CheckRtcp, RefusesTrailingGarbageOfAnyLength) {
  const std::string compound = std::string(kEmptyRr) + kPli;
  EXPECT_EQ(verdict(compound), "good");
  EXPECT_EQ(verdict(compound + "00"), "truncated");
  EXPECT_EQ(verdict(compound + "0000"), "truncated");
  EXPECT_EQ(verdict(compound + "000000"), "truncated");
  EXPECT_EQ(verdict(compound + "00000000"), "wrong version");
}

// RFC 3550 §6.4.1: padding is only allowed in the last packet of a compound.
TEST(CheckRtcp, AcceptsPaddingInTheLastPacketAlone) {
  const std::string rr = kEmptyRr;
  const std::string padded_rr = "a0c90002 11111111 00000004 ";
  EXPECT_EQ(verdict(padded_rr), "good");
  EXPECT_EQ(verdict(rr + padded_rr), "good");
  EXPECT_EQ(verdict(padded_rr + rr), "bad padding");
}

TEST(CheckRtcp, HoldsThePaddingCountToTheBody) {
  EXPECT_EQ(verdict("a0cb0001 00000000"), "bad padding");
  EXPECT_EQ(verdict("a0cb0001 00000005"), "bad padding");
  EXPECT_EQ(verdict("a0cb0001 00000004"), "good");
  EXPECT_EQ(verdict("a0cb0000"), "bad padding");
  // Padding eats what the type needs.
  EXPECT_EQ(verdict("a0c90001 11111104"), "bad length");
  EXPECT_EQ(verdict("a1ce0003 11111111 22222222 00000008"), "bad length");
}

TEST(CheckRtcp, WantsWhatEachTypePromises) {
  const std::string block(48, '1');
  const std::string sender_information(48, '2');
  EXPECT_EQ(verdict("80c80006" + sender_information), "good");
  EXPECT_EQ(verdict("80c80005" + sender_information.substr(8)), "bad length");
  EXPECT_EQ(verdict("81c8000c" + sender_information + block), "good");
  EXPECT_EQ(verdict("82c8000c" + sender_information + block), "bad length");
  EXPECT_EQ(verdict("81c90007 11111111" + block), "good");
  EXPECT_EQ(verdict("82c90007 11111111" + block), "bad length");
  EXPECT_EQ(verdict("80cc0002 11111111 4e414d45"), "good");
  EXPECT_EQ(verdict("80cc0001 11111111"), "bad length");
  EXPECT_EQ(verdict("80cf0001 11111111"), "good");
  EXPECT_EQ(verdict("80cf0000"), "bad length");
  EXPECT_EQ(verdict("80cd0002 11111111 22222222"), "good");
  EXPECT_EQ(verdict("80cd0001 11111111"), "bad length");
}

TEST(CheckRtcp, WantsWholeEntriesOfNackAndFirAndAtLeastOne) {
  EXPECT_EQ(verdict("81cd0002 11111111 22222222"), "bad length");
  EXPECT_EQ(verdict("81cd0003 11111111 22222222 00050000"), "good");
  EXPECT_EQ(verdict("a1cd0004 11111111 22222222 00050000 00000002"), "bad length");
  EXPECT_EQ(verdict("84ce0002 11111111 00000000"), "bad length");
  EXPECT_EQ(verdict("84ce0003 11111111 00000000 22222222"), "bad length");
  EXPECT_EQ(verdict("84ce0004 11111111 00000000 22222222 09000000"), "good");
}

TEST(CheckRtcp, WalksTheChunksOfASourceDescription) {
  EXPECT_EQ(verdict("80ca0000"), "good");
  EXPECT_EQ(verdict("81ca0000"), "bad length");
  EXPECT_EQ(verdict("81ca0002 11111111 00000000"), "good");
  EXPECT_EQ(verdict("81ca0002 11111111 01020000"), "good");
  EXPECT_EQ(verdict("81ca0002 11111111 01030000"), "bad length");
  EXPECT_EQ(verdict("81ca0002 11111111 01000101"), "bad length");
  EXPECT_EQ(verdict("82ca0004 11111111 01014100 22222222 01014200"), "good");
  EXPECT_EQ(verdict("82ca0003 11111111 01014100 22222222"), "good");
  EXPECT_EQ(verdict("82ca0002 11111111 01014100"), "bad length");
}

TEST(CheckRtcp, HoldsTheReasonOfAGoodbyeToItsLength) {
  EXPECT_EQ(verdict("81cb0002 11111111 03666f6f"), "good");
  EXPECT_EQ(verdict("81cb0002 11111111 04666f6f"), "bad length");
  EXPECT_EQ(verdict("82cb0001 11111111"), "bad length");
}

TEST(RtcpReader, StopsBeforeTheFirstPacketThatIsNotFramed) {
  const Bytes bytes = from_hex(std::string(kEmptyRr) + "81ce0009 11111111");
  RtcpReader reader(bytes);
  EXPECT_TRUE(reader.next().has_value());
  EXPECT_FALSE(reader.next().has_value());
  EXPECT_FALSE(reader.next().has_value());
}

// Field notes of A.3: 24 bits in two's complement.
TEST(ReportBlock, CumulativeLossIsSigned) {
  const auto loss = [](const std::string& three_bytes) {
    const FirstPacket packet("81c90007 11111111 22222222 00" + three_bytes + std::string(32, '0'));
    return report_block(packet.view, 0).cumulative_lost;
  };
  EXPECT_EQ(loss("000000"), 0);
  EXPECT_EQ(loss("7fffff"), 8388607);
  EXPECT_EQ(loss("800000"), -8388608);
  EXPECT_EQ(loss("ffffff"), -1);
}

TEST(SourceDescription, FindsTheCnameOfEachSource) {
  const FirstPacket packet(
      "82ca0007 11111111 0203616263 010141 00000000"  // NAME "abc", CNAME "A"
      "22222222 01024243 00000000");                  // CNAME "BC"
  ASSERT_TRUE(check_rtcp(packet.bytes).has_value());
  EXPECT_EQ(to_text(source_description_cname(packet.view, 0x11111111)), "A");
  EXPECT_EQ(to_text(source_description_cname(packet.view, 0x22222222)), "BC");
  EXPECT_EQ(to_text(source_description_cname(packet.view, 0x33333333)), "");
}

TEST(SenderSsrc, IsThatOfTheReporterNotOfTheSourcesAPacketLists) {
  EXPECT_EQ(sender_ssrc(FirstPacket(kEmptyRr).view), 0x11111111u);
  EXPECT_EQ(sender_ssrc(FirstPacket(kPli).view), 0x11111111u);
  EXPECT_FALSE(sender_ssrc(FirstPacket("81cb0001 11111111").view).has_value());
  EXPECT_FALSE(sender_ssrc(FirstPacket("81ca0002 11111111 00000000").view).has_value());
}

// The typed looks are safe even where nobody has checked, so that a mistake of ours reads nothing.
TEST(TypedLooks, FindNothingInBodiesThatAreTooShort) {
  for (const unsigned type : {200u, 201u, 202u, 203u, 204u, 205u, 206u, 207u}) {
    for (const unsigned count : {0u, 1u, 4u, 15u, 31u}) {
      for (std::size_t size = 0; size < 8; ++size) {
        const Bytes body(size, 0xff);
        const RtcpPacketView packet{static_cast<std::uint8_t>(type),
                                    static_cast<std::uint8_t>(count), body};
        EXPECT_FALSE(parse_sender_report(packet).has_value());
        EXPECT_EQ(report_block_count(packet), 0u);
        EXPECT_EQ(nack_entry_count(packet), 0u);
        EXPECT_EQ(fir_entry_count(packet), 0u);
        EXPECT_LE(goodbye_ssrc_count(packet), size / 4);
        EXPECT_TRUE(goodbye_reason(packet).empty());
        EXPECT_FALSE(feedback_media_ssrc(packet).has_value());
        EXPECT_TRUE(source_description_cname(packet, 0xffffffff).empty());
      }
    }
  }
}

TEST(RtpError, EachHasItsOwnWords) {
  const std::array errors{Error::truncated,     Error::wrong_version, Error::bad_padding,
                          Error::bad_extension, Error::bad_length,    Error::bad_type};
  for (const Error a : errors) {
    EXPECT_FALSE(to_string(a).empty());
    for (const Error b : errors) EXPECT_EQ(to_string(a) == to_string(b), a == b);
  }
}

}  // namespace
}  // namespace runnel::rtp
