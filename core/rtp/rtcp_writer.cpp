#include "core/rtp/rtcp_writer.h"

#include <algorithm>
#include <bit>

#include "core/base/check.h"
#include "core/base/serial_number.h"
#include "core/rtp/remb.h"

namespace runnel::rtp {
namespace {

constexpr std::size_t kMaxReportBlocks = 31;
constexpr std::size_t kMaxTextSize = 255;
constexpr std::size_t kMaxNackEntries = 1024;
constexpr std::uint8_t kCanonicalName = 1;
constexpr std::uint16_t kNackBitmaskWidth = 16;

/// `body_size` is a multiple of four.
void write_packet_header(ByteWriter& writer, RtcpType type, std::size_t count,
                         std::size_t body_size) noexcept {
  writer.u8(static_cast<std::uint8_t>(0x80 | count));
  writer.u8(static_cast<std::uint8_t>(type));
  writer.u16(static_cast<std::uint16_t>(body_size / 4));
}

void write_report_block(ByteWriter& writer, const ReportBlock& block) noexcept {
  writer.u32(block.ssrc);
  writer.u8(block.fraction_lost);
  writer.u24(static_cast<std::uint32_t>(block.cumulative_lost));
  writer.u32(block.extended_highest_sequence_number);
  writer.u32(block.jitter);
  writer.u32(block.last_sender_report);
  writer.u32(block.delay_since_last_report);
}

/// A text with its length before it.
void write_text(ByteWriter& writer, std::string_view text) noexcept {
  writer.u8(static_cast<std::uint8_t>(text.size()));
  for (const char c : text) writer.u8(static_cast<std::uint8_t>(c));
}

constexpr std::size_t round_up_to_word(std::size_t size) noexcept {
  return (size + 3) / 4 * 4;
}

}  // namespace

void RtcpWriter::sender_report(const SenderReport& report,
                               std::span<const ReportBlock> blocks) noexcept {
  RUNNEL_CHECK(blocks.size() <= kMaxReportBlocks);
  write_packet_header(writer_, RtcpType::sender_report, blocks.size(), 24 + 24 * blocks.size());
  writer_.u32(report.ssrc);
  writer_.u64(report.ntp.value);
  writer_.u32(report.rtp.value);
  writer_.u32(report.packet_count);
  writer_.u32(report.octet_count);
  for (const ReportBlock& block : blocks) write_report_block(writer_, block);
}

void RtcpWriter::receiver_report(std::uint32_t sender_ssrc,
                                 std::span<const ReportBlock> blocks) noexcept {
  RUNNEL_CHECK(blocks.size() <= kMaxReportBlocks);
  write_packet_header(writer_, RtcpType::receiver_report, blocks.size(), 4 + 24 * blocks.size());
  writer_.u32(sender_ssrc);
  for (const ReportBlock& block : blocks) write_report_block(writer_, block);
}

void RtcpWriter::source_description(std::uint32_t ssrc, std::string_view cname) noexcept {
  RUNNEL_CHECK(cname.size() <= kMaxTextSize);
  const std::size_t size = 4 + 2 + cname.size();
  // At least one zero byte ends the chunk.
  const std::size_t padded_size = round_up_to_word(size + 1);
  write_packet_header(writer_, RtcpType::source_description, 1, padded_size);
  writer_.u32(ssrc);
  writer_.u8(kCanonicalName);
  write_text(writer_, cname);
  writer_.zeros(padded_size - size);
}

void RtcpWriter::goodbye(std::uint32_t ssrc, std::string_view reason) noexcept {
  RUNNEL_CHECK(reason.size() <= kMaxTextSize);
  const std::size_t size = 4 + (reason.empty() ? 0 : 1 + reason.size());
  const std::size_t padded_size = round_up_to_word(size);
  write_packet_header(writer_, RtcpType::goodbye, 1, padded_size);
  writer_.u32(ssrc);
  if (!reason.empty()) write_text(writer_, reason);
  writer_.zeros(padded_size - size);
}

void RtcpWriter::picture_loss_indication(std::uint32_t sender_ssrc,
                                         std::uint32_t media_ssrc) noexcept {
  write_packet_header(writer_, RtcpType::payload_feedback, kPayloadFeedbackPli, 8);
  writer_.u32(sender_ssrc);
  writer_.u32(media_ssrc);
}

void RtcpWriter::full_intra_request(std::uint32_t sender_ssrc, std::uint32_t media_ssrc,
                                    std::uint8_t command_sequence) noexcept {
  write_packet_header(writer_, RtcpType::payload_feedback, kPayloadFeedbackFir, 16);
  writer_.u32(sender_ssrc);
  writer_.u32(0);
  writer_.u32(media_ssrc);
  writer_.u8(command_sequence);
  writer_.zeros(3);
}

void RtcpWriter::nack(std::uint32_t sender_ssrc, std::uint32_t media_ssrc,
                      std::span<const NackEntry> entries) noexcept {
  RUNNEL_CHECK(!entries.empty() && entries.size() <= kMaxNackEntries);
  write_packet_header(writer_, RtcpType::transport_feedback, kTransportFeedbackNack,
                      8 + 4 * entries.size());
  writer_.u32(sender_ssrc);
  writer_.u32(media_ssrc);
  for (const NackEntry& entry : entries) {
    writer_.u16(entry.packet_id);
    writer_.u16(entry.lost_bitmask);
  }
}

void RtcpWriter::receiver_estimated_maximum_bitrate(std::uint32_t sender_ssrc,
                                                    std::uint64_t bitrate,
                                                    std::span<const std::uint32_t> ssrcs) noexcept {
  RUNNEL_CHECK(!ssrcs.empty() && ssrcs.size() <= kMaxRembSources);
  const int excess = static_cast<int>(std::bit_width(bitrate)) - kRembMantissaBits;
  const auto exponent = static_cast<std::uint32_t>(std::max(excess, 0));
  write_packet_header(writer_, RtcpType::payload_feedback, kPayloadFeedbackApplication,
                      16 + 4 * ssrcs.size());
  writer_.u32(sender_ssrc);
  writer_.u32(0);
  writer_.u32(kRembIdentifier);
  writer_.u8(static_cast<std::uint8_t>(ssrcs.size()));
  writer_.u24(exponent << kRembMantissaBits | static_cast<std::uint32_t>(bitrate >> exponent));
  for (const std::uint32_t ssrc : ssrcs) writer_.u32(ssrc);
}

std::size_t build_nack(std::span<const std::uint16_t> lost, std::span<NackEntry> out) noexcept {
  std::size_t used = 0;
  for (const std::uint16_t sequence_number : lost) {
    if (used != 0) {
      NackEntry& last = out[used - 1];
      const auto ahead = static_cast<std::uint16_t>(sequence_number - last.packet_id);
      if (ahead == 0) continue;
      if (ahead <= kNackBitmaskWidth) {
        last.lost_bitmask = static_cast<std::uint16_t>(last.lost_bitmask | 1u << (ahead - 1));
        continue;
      }
    }
    if (used == out.size()) break;
    out[used++] = {.packet_id = sequence_number, .lost_bitmask = 0};
  }
  return used;
}

}  // namespace runnel::rtp
