#include "core/rtp/remb.h"

#include <limits>

#include <gtest/gtest.h>

#include "core/rtp/rtcp_writer.h"
#include "tests/unit/core/rtp/vectors.h"

namespace runnel::rtp {
namespace {

using nlohmann::json;

RtcpPacketView first(const Bytes& packet) {
  return RtcpReader(packet).next().value();
}

TEST(RembVectors, AreReadAsTheirSourcesSay) {
  for (const json& vector : load_feedback_vectors("remb")) {
    SCOPED_TRACE(vector.at("id"));
    const Bytes packet = from_hex(vector.at("packet").get<std::string>());
    const auto remb = RembView::parse(first(packet));
    ASSERT_TRUE(remb.has_value());
    EXPECT_EQ(remb->sender_ssrc(), vector.at("sender_ssrc"));
    EXPECT_EQ(remb->bitrate(), vector.at("bitrate"));
    json ssrcs = json::array();
    for (std::size_t i = 0; i < remb->ssrc_count(); ++i) ssrcs.push_back(remb->ssrc(i));
    EXPECT_EQ(ssrcs, vector.at("ssrcs"));
  }
}

TEST(RembVectors, AreRefusedOnceCutAnywhere) {
  for (const json& vector : load_feedback_vectors("remb")) {
    const Bytes packet = from_hex(vector.at("packet").get<std::string>());
    const RtcpPacketView whole = first(packet);
    for (std::size_t size = 0; size < whole.body.size(); ++size) {
      const Bytes body(whole.body.begin(), whole.body.begin() + static_cast<std::ptrdiff_t>(size));
      EXPECT_FALSE(RembView::parse({whole.type, whole.count, body}).has_value()) << size;
    }
  }
}

TEST(RembVectors, WithFewerSsrcsThanTheySayAreRefused) {
  for (const json& vector : load_feedback_vectors("invalid")) {
    if (vector.at("error") != "REMB short") continue;
    const Bytes packet = from_hex(vector.at("packet").get<std::string>());
    EXPECT_EQ(RembView::parse(first(packet)).error(), Error::bad_length);
  }
}

TEST(Remb, IsToldFromOtherFeedbackOfApplications) {
  const Bytes other = from_hex("8fce0004 00000001 00000000 52454d43 00000000");
  EXPECT_EQ(RembView::parse(first(other)).error(), Error::bad_type);
  const Bytes pli = from_hex("81ce0002 11111111 22222222");
  EXPECT_EQ(RembView::parse(first(pli)).error(), Error::bad_type);
}

Bytes write(std::uint64_t bitrate, std::span<const std::uint32_t> ssrcs) {
  Bytes packet(2000);
  RtcpWriter writer(packet);
  writer.receiver_estimated_maximum_bitrate(1, bitrate, ssrcs);
  EXPECT_FALSE(writer.overflowed());
  packet.resize(writer.written().size());
  EXPECT_TRUE(check_rtcp(packet).has_value());
  return packet;
}

TEST(Remb, IsWrittenAsChromiumWritesIt) {
  for (const json& vector : load_feedback_vectors("remb")) {
    if (vector.at("id") != "pion-remb-chrome-8.9M") continue;
    const std::array<std::uint32_t, 1> ssrc = {vector.at("ssrcs")[0].get<std::uint32_t>()};
    EXPECT_EQ(to_hex(write(vector.at("bitrate"), ssrc)), vector.at("packet").get<std::string>());
  }
}

TEST(Remb, SaysTheUpper18BitsOfAnyBitrate) {
  const std::array<std::uint32_t, 1> ssrc = {7};
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t bitrate :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0x3ffff}, std::uint64_t{0x40000},
        std::uint64_t{8'000'000}, std::uint64_t{12'345'678'901}, kMost}) {
    const Bytes packet = write(bitrate, ssrc);
    const auto read = RembView::parse(first(packet));
    ASSERT_TRUE(read.has_value());
    EXPECT_LE(read->bitrate(), bitrate);
    EXPECT_GE(read->bitrate(), bitrate - (bitrate >> 17));
    EXPECT_EQ(read->ssrc(0), 7u);
  }
}

TEST(Remb, NamesUpTo255Streams) {
  const std::vector<std::uint32_t> ssrcs(kMaxRembSources, 9);
  const Bytes packet = write(1000, ssrcs);
  EXPECT_EQ(RembView::parse(first(packet))->ssrc_count(), kMaxRembSources);
  EXPECT_DEATH(write(1000, std::vector<std::uint32_t>(kMaxRembSources + 1)), "");
}

}  // namespace
}  // namespace runnel::rtp
