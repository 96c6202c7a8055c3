// RTCP: the typed looks read nothing outside a packet, checked beforehand or not; and what the
// check accepts the walk goes through to its end.
#include <cstddef>
#include <cstdint>

#include "core/base/check.h"
#include "core/rtp/packet_classifier.h"
#include "core/rtp/rtcp_packet.h"

namespace {

using namespace runnel;

/// Reads each byte, so that a view that runs over the end is noticed.
std::uint32_t sum_of(ByteView bytes) {
  std::uint32_t sum = 0;
  for (const std::uint8_t byte : bytes) sum += byte;
  return sum;
}

std::uint32_t look_at_reports(const rtp::RtcpPacketView& packet) {
  std::uint32_t sum = 0;
  if (const auto report = rtp::parse_sender_report(packet)) {
    sum += report->ssrc + report->ntp.middle() + report->rtp.value + report->packet_count;
    RUNNEL_CHECK(rtp::report_block_count(packet) == packet.count);
  }
  for (std::size_t i = 0; i < rtp::report_block_count(packet); ++i) {
    const rtp::ReportBlock block = rtp::report_block(packet, i);
    RUNNEL_CHECK(block.cumulative_lost >= -0x800000 && block.cumulative_lost <= 0x7fffff);
    sum += block.ssrc + block.delay_since_last_report;
  }
  return sum;
}

std::uint32_t look_at_feedback(const rtp::RtcpPacketView& packet) {
  std::uint32_t sum = rtp::feedback_media_ssrc(packet).value_or(0);
  for (std::size_t i = 0; i < rtp::nack_entry_count(packet); ++i) {
    sum += rtp::nack_entry(packet, i).lost_bitmask;
  }
  for (std::size_t i = 0; i < rtp::fir_entry_count(packet); ++i) {
    sum += rtp::fir_entry(packet, i).command_sequence;
  }
  return sum;
}

std::uint32_t look_at_sources(const rtp::RtcpPacketView& packet) {
  std::uint32_t sum = rtp::sender_ssrc(packet).value_or(0);
  for (std::size_t i = 0; i < rtp::goodbye_ssrc_count(packet); ++i) {
    sum += rtp::goodbye_ssrc(packet, i);
  }
  sum += sum_of(rtp::goodbye_reason(packet));
  const std::uint32_t likely_ssrc = packet.body.size() < 4 ? 0 : load_be32(packet.body.data());
  return sum + sum_of(rtp::source_description_cname(packet, likely_ssrc));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ByteView compound(data, size);
  const bool accepted = rtp::check_rtcp(compound).has_value();
  rtp::RtcpReader reader(compound);
  std::size_t walked = 0;
  std::uint32_t sum = 0;
  while (const auto packet = reader.next()) {
    const auto end = static_cast<std::size_t>(packet->body.data() - data) + packet->body.size();
    RUNNEL_CHECK(end > walked && end <= size);
    walked = end;
    sum += sum_of(packet->body) + look_at_reports(*packet) + look_at_feedback(*packet) +
           look_at_sources(*packet);
  }
  if (accepted) {
    RUNNEL_CHECK(rtp::classify(compound) == rtp::PacketClass::rtcp);
    // Behind the last body there is nothing but its padding.
    RUNNEL_CHECK(walked != 0 && size - walked <= 255);
  }
  [[maybe_unused]] volatile std::uint32_t keep = sum;
  return 0;
}
