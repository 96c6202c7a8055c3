#include "core/rtp/rtcp_writer.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/unit/core/rtp/vectors.h"

namespace runnel::rtp {
namespace {

using nlohmann::json;
using Write = std::function<void(RtcpWriter&)>;

const ReportBlock kBlock{.ssrc = 0x22222222,
                         .fraction_lost = 64,
                         .cumulative_lost = -2,
                         .extended_highest_sequence_number = 0x0001fffe,
                         .jitter = 0x01020304,
                         .last_sender_report = 0x05060708,
                         .delay_since_last_report = 0x090a0b0c};
const std::string kBlockHex = "2222222240fffffe0001fffe0102030405060708090a0b0c";
const SenderReport kSenderReport{.ssrc = 0x11111111,
                                 .ntp = {0xe0e1e2e3f0f1f2f3},
                                 .rtp = {0xfffffff0},
                                 .packet_count = 7,
                                 .octet_count = 8};
const std::string kSenderReportHex = "11111111e0e1e2e3f0f1f2f3fffffff00000000700000008";
constexpr std::array<NackEntry, 2> kNackEntries{NackEntry{100, 0x4011}, NackEntry{500, 3}};

struct Sample {
  const char* name;
  Write write;
  std::string hex;
};

const std::vector<Sample>& samples() {
  static const std::vector<Sample> kSamples{
      {"SR", [](RtcpWriter& w) { w.sender_report(kSenderReport); }, "80c80006" + kSenderReportHex},
      {"SR with block",
       [](RtcpWriter& w) { w.sender_report(kSenderReport, std::span(&kBlock, 1)); },
       "81c8000c" + kSenderReportHex + kBlockHex},
      {"RR", [](RtcpWriter& w) { w.receiver_report(0x11111111, {}); }, "80c9000111111111"},
      {"RR with block", [](RtcpWriter& w) { w.receiver_report(0x11111111, std::span(&kBlock, 1)); },
       "81c9000711111111" + kBlockHex},
      {"SDES", [](RtcpWriter& w) { w.source_description(0x11111111, "ab"); },
       "81ca0003111111110102616200000000"},
      {"SDES that just needs one zero",
       [](RtcpWriter& w) { w.source_description(0x11111111, "a"); }, "81ca00021111111101016100"},
      {"BYE", [](RtcpWriter& w) { w.goodbye(0x11111111); }, "81cb000111111111"},
      {"BYE with reason", [](RtcpWriter& w) { w.goodbye(0x11111111, "foo"); },
       "81cb00021111111103666f6f"},
      {"BYE with padded reason", [](RtcpWriter& w) { w.goodbye(0x11111111, "stop"); },
       "81cb0003111111110473746f70000000"},
      {"PLI", [](RtcpWriter& w) { w.picture_loss_indication(0x11111111, 0x22222222); },
       "81ce00021111111122222222"},
      {"FIR", [](RtcpWriter& w) { w.full_intra_request(0x11111111, 0x22222222, 9); },
       "84ce000411111111000000002222222209000000"},
      {"NACK", [](RtcpWriter& w) { w.nack(0x11111111, 0x22222222, kNackEntries); },
       "81cd000411111111222222220064401101f40003"},
  };
  return kSamples;
}

TEST(RtcpWriter, WritesEachTypeAsTheRfcsDrawIt) {
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.name);
    Bytes bytes(200);
    RtcpWriter writer(bytes);
    sample.write(writer);
    EXPECT_FALSE(writer.overflowed());
    EXPECT_EQ(to_hex(writer.written()), sample.hex);
    EXPECT_TRUE(check_rtcp(writer.written()).has_value());
  }
}

TEST(RtcpWriter, FillsAnExactFitAndSaysWhenAnyByteIsMissing) {
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.name);
    const std::size_t size = sample.hex.size() / 2;
    Bytes exact(size);
    RtcpWriter writer(exact);
    sample.write(writer);
    EXPECT_FALSE(writer.overflowed());
    EXPECT_EQ(to_hex(writer.written()), sample.hex);
    for (std::size_t shorter = 0; shorter < size; ++shorter) {
      Bytes bytes(shorter);
      RtcpWriter cramped(bytes);
      sample.write(cramped);
      EXPECT_TRUE(cramped.overflowed()) << shorter;
      EXPECT_LE(cramped.written().size(), shorter);
    }
  }
}

TEST(RtcpWriter, JoinsPacketsToACompoundThatIsReadBack) {
  Bytes bytes(500);
  RtcpWriter writer(bytes);
  for (const Sample& sample : samples()) sample.write(writer);
  ASSERT_FALSE(writer.overflowed());
  ASSERT_TRUE(check_rtcp(writer.written()).has_value());
  RtcpReader reader(writer.written());
  for (const Sample& sample : samples()) {
    SCOPED_TRACE(sample.name);
    const auto packet = reader.next();
    ASSERT_TRUE(packet.has_value());
    EXPECT_EQ(to_hex(packet->body), sample.hex.substr(8));
  }
  EXPECT_FALSE(reader.next().has_value());
}

TEST(RtcpWriter, ReportsAreReadAsWritten) {
  const std::vector<ReportBlock> blocks(31, kBlock);
  Bytes bytes(4 + 24 + 31 * 24);
  RtcpWriter writer(bytes);
  writer.sender_report(kSenderReport, blocks);
  ASSERT_FALSE(writer.overflowed());
  const auto packet = RtcpReader(writer.written()).next();
  ASSERT_TRUE(packet.has_value());

  const auto report = parse_sender_report(*packet);
  ASSERT_TRUE(report.has_value());
  EXPECT_EQ(report->ssrc, kSenderReport.ssrc);
  EXPECT_EQ(report->ntp, kSenderReport.ntp);
  EXPECT_EQ(report->rtp, kSenderReport.rtp);
  EXPECT_EQ(report->packet_count, kSenderReport.packet_count);
  EXPECT_EQ(report->octet_count, kSenderReport.octet_count);
  ASSERT_EQ(report_block_count(*packet), 31u);
  const ReportBlock block = report_block(*packet, 30);
  EXPECT_EQ(block.ssrc, kBlock.ssrc);
  EXPECT_EQ(block.fraction_lost, kBlock.fraction_lost);
  EXPECT_EQ(block.cumulative_lost, kBlock.cumulative_lost);
  EXPECT_EQ(block.extended_highest_sequence_number, kBlock.extended_highest_sequence_number);
  EXPECT_EQ(block.jitter, kBlock.jitter);
  EXPECT_EQ(block.last_sender_report, kBlock.last_sender_report);
  EXPECT_EQ(block.delay_since_last_report, kBlock.delay_since_last_report);
}

TEST(RtcpWriter, TextsOfEveryLengthAreReadAsWritten) {
  for (std::size_t length = 0; length <= 255; ++length) {
    const std::string text(length, 'x');
    Bytes bytes(1000);
    RtcpWriter writer(bytes);
    writer.source_description(5, text);
    writer.goodbye(5, text);
    ASSERT_TRUE(check_rtcp(writer.written()).has_value()) << length;
    RtcpReader reader(writer.written());
    EXPECT_EQ(to_text(source_description_cname(*reader.next(), 5)), text);
    EXPECT_EQ(to_text(goodbye_reason(*reader.next())), text);
  }
}

TEST(RtcpWriterDeathTest, RefusesMoreThanAPacketCanSay) {
  Bytes bytes(10'000);
  RtcpWriter writer(bytes);
  const std::vector<ReportBlock> blocks(32);
  EXPECT_DEATH(writer.sender_report(kSenderReport, blocks), "does not hold");
  EXPECT_DEATH(writer.receiver_report(1, blocks), "does not hold");
  EXPECT_DEATH(writer.source_description(1, std::string(256, 'x')), "does not hold");
  EXPECT_DEATH(writer.goodbye(1, std::string(256, 'x')), "does not hold");
  EXPECT_DEATH(writer.nack(1, 2, {}), "does not hold");
  const std::vector<NackEntry> entries(1025);
  writer.nack(1, 2, std::span(entries).first(1024));
  EXPECT_FALSE(writer.overflowed());
  EXPECT_DEATH(writer.nack(1, 2, entries), "does not hold");
}

std::string build(const std::vector<std::uint16_t>& lost, std::size_t room = 16) {
  std::vector<NackEntry> out(room);
  const std::size_t used = build_nack(lost, out);
  json pairs = json::array();
  for (std::size_t i = 0; i < used; ++i) pairs.push_back({out[i].packet_id, out[i].lost_bitmask});
  return pairs.dump();
}

TEST(BuildNack, EqualsTheVectors) {
  for (const json& vector : load_vectors("nack_building")) {
    EXPECT_EQ(build(vector.at("lost").get<std::vector<std::uint16_t>>()),
              vector.at("pairs").dump());
  }
}

TEST(BuildNack, BeginsANewEntryBehindTheSixteenthFollower) {
  EXPECT_EQ(build({}), "[]");
  EXPECT_EQ(build({10, 26}), "[[10,32768]]");
  EXPECT_EQ(build({10, 27}), "[[10,0],[27,0]]");
  EXPECT_EQ(build({10, 10, 11, 11}), "[[10,1]]");
}

TEST(BuildNack, StopsWhenThereIsNoRoom) {
  EXPECT_EQ(build({1, 100, 200}, 0), "[]");
  EXPECT_EQ(build({1, 100, 200}, 2), "[[1,0],[100,0]]");
  EXPECT_EQ(build({1, 100, 101, 200}, 2), "[[1,0],[100,1]]");
}

}  // namespace
}  // namespace runnel::rtp
