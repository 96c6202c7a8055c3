#include "core/rtp/rtp_packet.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/core/rtp/vectors.h"

namespace runnel::rtp {
namespace {

constexpr std::array<std::uint32_t, 16> kSources{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};

RtpHeader sample_header() {
  RtpHeader header;
  header.marker = true;
  header.payload_type = 96;
  header.sequence_number = 65535;
  header.timestamp = {0xfffffffe};
  header.ssrc = 0x89abcdef;
  return header;
}

TEST(RtpPacket, HasItsFieldsWhereRfc3550Section51PutsThem) {
  Bytes out(12);
  ASSERT_EQ(write_header(sample_header(), out), 12u);
  EXPECT_EQ(to_hex(out), "80e0fffffffffffe89abcdef");
}

TEST(RtpPacket, IsReadAsWritten) {
  const Bytes extension = from_hex("10aa20bb");
  RtpHeader header = sample_header();
  header.contributing_sources = std::span(kSources).first(15);
  header.extension_profile = 0xbede;
  header.extension_data = extension;
  Bytes packet(12 + 60 + 8 + 3);
  ASSERT_EQ(write_header(header, packet), 80u);

  const auto view = RtpPacketView::parse(packet);
  ASSERT_TRUE(view.has_value());
  EXPECT_TRUE(view->marker());
  EXPECT_EQ(view->payload_type(), 96);
  EXPECT_EQ(view->sequence_number(), 65535);
  EXPECT_EQ(view->timestamp(), RtpTime{0xfffffffe});
  EXPECT_EQ(view->ssrc(), 0x89abcdef);
  ASSERT_EQ(view->contributing_source_count(), 15u);
  for (std::size_t i = 0; i < 15; ++i) EXPECT_EQ(view->contributing_source(i), kSources[i]);
  EXPECT_EQ(view->extension_profile(), 0xbede);
  EXPECT_EQ(to_hex(view->extension_data()), "10aa20bb");
  EXPECT_EQ(view->payload().size(), 3u);
  EXPECT_EQ(view->bytes().data(), packet.data());
}

TEST(RtpPacket, HeaderIsWrittenIntoAnExactFitAndNotIntoOneByteLess) {
  const Bytes extension(8);
  for (const std::size_t sources : {0u, 1u, 15u}) {
    for (const bool has_extension : {false, true}) {
      RtpHeader header = sample_header();
      header.contributing_sources = std::span(kSources).first(sources);
      if (has_extension) {
        header.extension_profile = 0x1000;
        header.extension_data = extension;
      }
      const std::size_t size = 12 + 4 * sources + (has_extension ? 12 : 0);
      Bytes exact(size);
      EXPECT_EQ(write_header(header, exact), size);
      for (std::size_t shorter = 0; shorter < size; ++shorter) {
        Bytes out(shorter);
        EXPECT_EQ(write_header(header, out), 0u) << shorter;
      }
    }
  }
}

TEST(RtpPacket, AnEmptyExtensionIsStillAnExtension) {
  RtpHeader header = sample_header();
  header.extension_profile = 0xbede;
  Bytes out(16);
  ASSERT_EQ(write_header(header, out), 16u);
  const auto view = RtpPacketView::parse(out);
  ASSERT_TRUE(view.has_value());
  EXPECT_TRUE(view->has_extension());
  EXPECT_EQ(view->extension_profile(), 0xbede);
  EXPECT_TRUE(view->extension_data().empty());
}

TEST(RtpPacket, WithoutExtensionHasNeitherProfileNorData) {
  const Bytes packet = from_hex("806000010000000200000003");
  const auto view = RtpPacketView::parse(packet);
  ASSERT_TRUE(view.has_value());
  EXPECT_FALSE(view->has_extension());
  EXPECT_EQ(view->extension_profile(), 0);
  EXPECT_TRUE(view->extension_data().empty());
}

TEST(RtpPacket, FieldsAreChangedInPlaceWithoutTouchingTheirNeighbours) {
  Bytes packet = from_hex("b2e0000100000002000000030000000a0000000b");
  set_payload_type(packet, 111);
  EXPECT_EQ(to_hex(packet), "b2ef000100000002000000030000000a0000000b");
  set_payload_type(packet, 0xff);
  EXPECT_EQ(to_hex(packet), "b2ff000100000002000000030000000a0000000b");
  packet[1] = 0;
  set_payload_type(packet, 0xff);
  set_sequence_number(packet, 0xfffe);
  set_timestamp(packet, {0x80000001});
  set_ssrc(packet, 0xdeadbeef);
  EXPECT_EQ(to_hex(packet), "b27ffffe80000001deadbeef0000000a0000000b");
}

TEST(RtpPacket, SaysWhyItIsNone) {
  const auto error_of = [](const char* hex) {
    const Bytes bytes = from_hex(hex);
    const auto view = RtpPacketView::parse(bytes);
    return view ? "none" : to_string(view.error());
  };
  EXPECT_EQ(error_of(""), to_string(Error::truncated));
  EXPECT_EQ(error_of("8060000100000002000000"), to_string(Error::truncated));
  EXPECT_EQ(error_of("816000010000000200000003"), to_string(Error::truncated));
  EXPECT_EQ(error_of("406000010000000200000003"), to_string(Error::wrong_version));
  EXPECT_EQ(error_of("906000010000000200000003"), to_string(Error::bad_extension));
  EXPECT_EQ(error_of("906000010000000200000003bede0001"), to_string(Error::bad_extension));
  EXPECT_EQ(error_of("a0600001000000020000000300"), to_string(Error::bad_padding));
  EXPECT_EQ(error_of("a0600001000000020000000302"), to_string(Error::bad_padding));
  EXPECT_EQ(error_of("80c800010000000200000003"), to_string(Error::bad_type));
  EXPECT_EQ(error_of("80df00010000000200000003"), to_string(Error::bad_type));
  EXPECT_EQ(error_of("80e000010000000200000003"), "none");
}

// The padding of an SRTP packet is encrypted: its last byte is ciphertext, or an authentication
// tag.
TEST(RtpPacket, HeaderSizeDoesNotLookAtThePadding) {
  const Bytes packet = from_hex("a06000010000000200000003aabbff");
  EXPECT_EQ(header_size(packet), 12u);
  EXPECT_FALSE(RtpPacketView::parse(packet).has_value());
}

TEST(RtpPacketDeathTest, AHeaderThatCannotBeWrittenIsABugOfOurs) {
  Bytes out(100);
  RtpHeader sixteen_sources = sample_header();
  sixteen_sources.contributing_sources = kSources;
  EXPECT_DEATH(static_cast<void>(write_header(sixteen_sources, out)), "does not hold");
  const Bytes not_aligned(3);
  RtpHeader bad_extension = sample_header();
  bad_extension.extension_profile = 0xbede;
  bad_extension.extension_data = not_aligned;
  EXPECT_DEATH(static_cast<void>(write_header(bad_extension, out)), "does not hold");
}

}  // namespace
}  // namespace runnel::rtp
