// RTCP packets of other implementations, and hand-made ones, against what they are known to mean.
#include <algorithm>
#include <cstdio>
#include <string>

#include <gtest/gtest.h>

#include "core/rtp/packet_classifier.h"
#include "core/rtp/rtcp_packet.h"
#include "tests/unit/core/rtp/vectors.h"

namespace runnel::rtp {
namespace {

using nlohmann::json;

void expect_report_blocks(const RtcpPacketView& packet, const json& expected) {
  ASSERT_EQ(report_block_count(packet), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const ReportBlock block = report_block(packet, i);
    EXPECT_EQ(block.ssrc, expected[i].at("ssrc"));
    EXPECT_EQ(block.fraction_lost, expected[i].at("fraction_lost"));
    EXPECT_EQ(block.cumulative_lost, expected[i].at("total_lost"));
    EXPECT_EQ(block.extended_highest_sequence_number, expected[i].at("highest_seq"));
    EXPECT_EQ(block.jitter, expected[i].at("jitter"));
    EXPECT_EQ(block.last_sender_report, expected[i].at("lsr"));
    EXPECT_EQ(block.delay_since_last_report, expected[i].at("dlsr"));
  }
}

std::string ntp_text(NtpTime time) {
  char text[18];
  std::snprintf(text, sizeof text, "%08x.%08x", static_cast<unsigned>(time.value >> 32),
                static_cast<unsigned>(time.value));
  return text;
}

void expect_sender_report(const RtcpPacketView& packet, const json& expected) {
  const auto report = parse_sender_report(packet);
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->ssrc, expected.at("ssrc"));
  EXPECT_EQ(ntp_text(report->ntp), expected.at("ntp").get<std::string>());
  EXPECT_EQ(report->rtp.value, expected.at("rtp_timestamp"));
  EXPECT_EQ(report->packet_count, expected.at("packets"));
  EXPECT_EQ(report->octet_count, expected.at("octets"));
}

void expect_cnames(const RtcpPacketView& packet, const json& chunks) {
  for (const json& chunk : chunks) {
    std::string cname;
    for (const json& item : chunk.at("items")) {
      if (item.at("type") == 1) cname = item.at("text");
    }
    EXPECT_EQ(to_text(source_description_cname(packet, chunk.at("ssrc"))), cname);
  }
}

void expect_goodbye(const RtcpPacketView& packet, const json& expected) {
  json sources = json::array();
  for (std::size_t i = 0; i < goodbye_ssrc_count(packet); ++i) {
    sources.push_back(goodbye_ssrc(packet, i));
  }
  EXPECT_EQ(sources, expected.at("sources"));
  EXPECT_EQ(to_text(goodbye_reason(packet)), expected.value("reason", ""));
}

void expect_nack(const RtcpPacketView& packet, const json& pairs) {
  ASSERT_EQ(nack_entry_count(packet), pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    EXPECT_EQ(nack_entry(packet, i).packet_id, pairs[i][0]);
    EXPECT_EQ(nack_entry(packet, i).lost_bitmask, pairs[i][1]);
  }
}

void expect_fir(const RtcpPacketView& packet, const json& entries) {
  ASSERT_EQ(fir_entry_count(packet), entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    EXPECT_EQ(fir_entry(packet, i).ssrc, entries[i].at("ssrc"));
    EXPECT_EQ(fir_entry(packet, i).command_sequence, entries[i].at("seq"));
  }
}

void expect_fields(const RtcpPacketView& packet, const json& expected) {
  EXPECT_EQ(packet.type, expected.at("pt"));
  EXPECT_EQ(packet.count, expected.at("count_or_fmt"));
  const std::size_t padding = expected.value("padding", 0u);
  EXPECT_EQ(packet.body.size() + padding, 4 * expected.at("length_words").get<std::size_t>());

  const std::string name = expected.at("name");
  if (name == "SR") expect_sender_report(packet, expected);
  if (name == "SR" || name == "RR") expect_report_blocks(packet, expected.at("reports"));
  if (name == "SDES") expect_cnames(packet, expected.at("chunks"));
  if (name == "BYE") expect_goodbye(packet, expected);
  if (name == "NACK") expect_nack(packet, expected.at("pairs"));
  if (name == "FIR") expect_fir(packet, expected.at("entries"));
  const char* reporter = expected.contains("media_ssrc") ? "sender_ssrc" : "ssrc";
  if (expected.contains(reporter)) {
    EXPECT_EQ(sender_ssrc(packet), expected.at(reporter));
  }
  if (expected.contains("media_ssrc")) {
    EXPECT_EQ(feedback_media_ssrc(packet), expected.at("media_ssrc"));
  }
  // What one type holds, the looks for the others do not find.
  EXPECT_EQ(parse_sender_report(packet).has_value(), name == "SR");
  EXPECT_EQ(report_block_count(packet), expected.value("reports", json::array()).size());
  EXPECT_EQ(goodbye_ssrc_count(packet), expected.value("sources", json::array()).size());
  EXPECT_EQ(nack_entry_count(packet) != 0, name == "NACK");
  EXPECT_EQ(fir_entry_count(packet) != 0, name == "FIR");
  EXPECT_EQ(feedback_media_ssrc(packet).has_value(), expected.contains("media_ssrc"));
}

TEST(RtcpVectors, AreDecodedAsTheirSourcesSay) {
  for (const json& vector : load_vectors("rtcp")) {
    if (vector.at("expect") != "decode") continue;
    SCOPED_TRACE(vector.at("id"));
    const Bytes bytes = from_hex(vector.at("packet").get<std::string>());
    EXPECT_EQ(classify(bytes), PacketClass::rtcp);
    const auto checked = check_rtcp(bytes);
    ASSERT_TRUE(checked.has_value()) << to_string(checked.error());
    RtcpReader reader(bytes);
    for (const json& expected : vector.at("decoded")) {
      const auto packet = reader.next();
      ASSERT_TRUE(packet.has_value());
      expect_fields(*packet, expected);
    }
    EXPECT_FALSE(reader.next().has_value());
  }
}

TEST(RtcpVectors, AreRejectedWhereTheyMustBe) {
  for (const json& vector : load_vectors("rtcp")) {
    if (vector.at("expect") != "reject") continue;
    SCOPED_TRACE(vector.at("id"));
    EXPECT_FALSE(check_rtcp(from_hex(vector.at("packet").get<std::string>())).has_value());
  }
}

TEST(RtcpVectors, WithFaultsInContentThatIsNotTakenApartAreWalkedOver) {
  for (const json& vector : load_vectors("rtcp")) {
    if (vector.at("expect") != "frame") continue;
    SCOPED_TRACE(vector.at("id"));
    const Bytes bytes = from_hex(vector.at("packet").get<std::string>());
    ASSERT_TRUE(check_rtcp(bytes).has_value());
    RtcpReader reader(bytes);
    const auto packet = reader.next();
    ASSERT_TRUE(packet.has_value());
    const std::size_t padding = (bytes[0] & 0x20) != 0 ? bytes.back() : 0;
    EXPECT_EQ(packet->body.size(), bytes.size() - 4 - padding);
    EXPECT_FALSE(reader.next().has_value());
  }
}

TEST(RtcpVectors, OnWhichImplementationsDisagreeAreSurvived) {
  for (const json& vector : load_vectors("rtcp")) {
    if (vector.at("expect") != "any") continue;
    SCOPED_TRACE(vector.at("id"));
    const Bytes bytes = from_hex(vector.at("packet").get<std::string>());
    RtcpReader reader(bytes);
    std::size_t walked = 0;
    while (const auto packet = reader.next()) walked += 4 + packet->body.size();
    EXPECT_LE(walked, bytes.size());
    EXPECT_TRUE(!check_rtcp(bytes) || walked > 0);
  }
}

TEST(RtcpVectors, AreRejectedOnceCutAnywhereButBetweenPackets) {
  for (const json& vector : load_vectors("rtcp")) {
    if (vector.at("expect") != "decode") continue;
    SCOPED_TRACE(vector.at("id"));
    const Bytes bytes = from_hex(vector.at("packet").get<std::string>());
    std::vector<std::size_t> ends;
    for (const json& packet : vector.at("decoded")) {
      const std::size_t size = 4 + 4 * packet.at("length_words").get<std::size_t>();
      ends.push_back((ends.empty() ? 0 : ends.back()) + size);
    }
    for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
      // A copy of its own, so that a read behind the cut is a read behind an allocation.
      const Bytes shorter(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(cut));
      const bool is_whole = std::ranges::find(ends, cut) != ends.end();
      EXPECT_EQ(check_rtcp(shorter).has_value(), is_whole) << cut;
    }
  }
}

}  // namespace
}  // namespace runnel::rtp
