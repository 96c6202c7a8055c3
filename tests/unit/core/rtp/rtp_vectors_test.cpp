// RTP packets of other implementations, and hand-made ones, against what they are known to mean.
#include <array>
#include <string>

#include <gtest/gtest.h>

#include "core/rtp/header_extension.h"
#include "core/rtp/packet_classifier.h"
#include "core/rtp/rtp_packet.h"
#include "tests/unit/core/rtp/vectors.h"

namespace runnel::rtp {
namespace {

using nlohmann::json;

void expect_elements(const RtpPacketView& packet, const json& decoded) {
  ExtensionReader reader(packet.extension_profile(), packet.extension_data());
  json elements = json::array();
  while (const auto element = reader.next()) {
    elements.push_back({{"id", element->id}, {"data", to_hex(element->data)}});
  }
  EXPECT_EQ(reader.malformed(), decoded.contains("elements_error"));
  if (decoded.contains("elements_error")) return;
  // An unknown profile has no elements, which the vectors write as null.
  const json& expected = decoded.at("elements");
  EXPECT_EQ(elements, expected.is_null() ? json::array() : expected);
}

void expect_fields(const RtpPacketView& packet, const json& decoded) {
  EXPECT_EQ(packet.marker(), decoded.at("marker"));
  EXPECT_EQ(packet.payload_type(), decoded.at("payload_type"));
  EXPECT_EQ(packet.sequence_number(), decoded.at("sequence"));
  EXPECT_EQ(packet.timestamp().value, decoded.at("timestamp"));
  EXPECT_EQ(packet.ssrc(), decoded.at("ssrc"));
  json sources = json::array();
  for (std::size_t i = 0; i < packet.contributing_source_count(); ++i) {
    sources.push_back(packet.contributing_source(i));
  }
  EXPECT_EQ(sources, decoded.at("csrcs"));
  EXPECT_EQ(packet.header().size(), decoded.at("header_size"));
  EXPECT_EQ(packet.padding_size(), decoded.at("padding_size"));
  EXPECT_EQ(to_hex(packet.payload()), decoded.at("payload").get<std::string>());

  ASSERT_EQ(packet.has_extension(), decoded.at("extension"));
  if (!packet.has_extension()) return;
  const auto profile = std::stoul(decoded.at("ext_profile").get<std::string>(), nullptr, 16);
  EXPECT_EQ(packet.extension_profile(), profile);
  EXPECT_EQ(to_hex(packet.extension_data()), decoded.at("ext_body").get<std::string>());
  expect_elements(packet, decoded);
}

void expect_same_header_when_written_again(const RtpPacketView& packet) {
  std::array<std::uint32_t, kMaxContributingSources> sources;
  const std::size_t source_count = packet.contributing_source_count();
  for (std::size_t i = 0; i < source_count; ++i) sources[i] = packet.contributing_source(i);
  RtpHeader header{.marker = packet.marker(),
                   .padding = packet.padding_size() != 0,
                   .payload_type = packet.payload_type(),
                   .sequence_number = packet.sequence_number(),
                   .timestamp = packet.timestamp(),
                   .ssrc = packet.ssrc(),
                   .contributing_sources = std::span(sources).first(source_count),
                   .extension_profile = std::nullopt,
                   .extension_data = packet.extension_data()};
  if (packet.has_extension()) header.extension_profile = packet.extension_profile();
  Bytes out(packet.header().size());
  ASSERT_EQ(write_header(header, out), out.size());
  EXPECT_EQ(to_hex(out), to_hex(packet.header()));
}

TEST(RtpVectors, AreDecodedAsTheirSourcesSay) {
  for (const json& vector : load_vectors("rtp")) {
    if (vector.at("expect") != "decode") continue;
    SCOPED_TRACE(vector.at("id"));
    const Bytes bytes = from_hex(vector.at("packet").get<std::string>());
    EXPECT_EQ(classify(bytes), PacketClass::rtp);
    const auto packet = RtpPacketView::parse(bytes);
    ASSERT_TRUE(packet.has_value()) << to_string(packet.error());
    expect_fields(*packet, vector.at("decoded"));
    expect_same_header_when_written_again(*packet);
  }
}

TEST(RtpVectors, AreRejectedWhereTheyMustBe) {
  for (const json& vector : load_vectors("rtp")) {
    if (vector.at("expect") != "reject") continue;
    SCOPED_TRACE(vector.at("id"));
    const Bytes bytes = from_hex(vector.at("packet").get<std::string>());
    EXPECT_FALSE(RtpPacketView::parse(bytes).has_value());
  }
}

TEST(RtpVectors, OnWhichImplementationsDisagreeAreSurvived) {
  for (const json& vector : load_vectors("rtp")) {
    if (vector.at("expect") != "any") continue;
    SCOPED_TRACE(vector.at("id"));
    const Bytes bytes = from_hex(vector.at("packet").get<std::string>());
    const auto packet = RtpPacketView::parse(bytes);
    if (!packet) continue;
    EXPECT_EQ(packet->header().size() + packet->payload().size() + packet->padding_size(),
              bytes.size());
  }
}

TEST(RtpVectors, AreRejectedOnceCutAnywhereWithinTheHeader) {
  for (const json& vector : load_vectors("rtp")) {
    if (vector.at("expect") != "decode") continue;
    SCOPED_TRACE(vector.at("id"));
    const Bytes bytes = from_hex(vector.at("packet").get<std::string>());
    const std::size_t size = vector.at("decoded").at("header_size");
    for (std::size_t cut = 0; cut < size; ++cut) {
      // A copy of its own, so that a read behind the cut is a read behind an allocation.
      const Bytes shorter(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(cut));
      EXPECT_FALSE(RtpPacketView::parse(shorter).has_value()) << cut;
      EXPECT_FALSE(header_size(shorter).has_value()) << cut;
    }
  }
}

}  // namespace
}  // namespace runnel::rtp
