// What a simulated browser says and is told by RTCP.
#include <algorithm>
#include <array>

#include "core/rtp/remb.h"
#include "core/rtp/rtcp_writer.h"
#include "tests/simulation/browser.h"

namespace runnel::simulation {
namespace {

constexpr std::uint32_t kOwnSsrc = 0x5000'0001;

}  // namespace

void Browser::take_rtcp(ByteView bytes) {
  if (!rtp::check_rtcp(bytes)) return;
  rtp::RtcpReader reader(bytes);
  while (const auto packet = reader.next()) {
    if (packet->is(rtp::RtcpType::sender_report)) {
      ++received[*rtp::sender_ssrc(*packet)].sender_reports;
    }
    if (packet->is(rtp::RtcpType::receiver_report)) reports += rtp::report_block_count(*packet);
    if (packet->is(rtp::RtcpType::transport_feedback)) {
      if (packet->count == rtp::kTransportFeedbackTransportWide) ++transport_feedbacks;
      if (packet->count == rtp::kTransportFeedbackNack) take_nack(*packet);
    }
    if (packet->is(rtp::RtcpType::payload_feedback)) take_payload_feedback(*packet);
  }
}

void Browser::take_nack(const rtp::RtcpPacketView& packet) {
  for (std::size_t i = 0; i < rtp::nack_entry_count(packet); ++i) {
    const rtp::NackEntry entry = rtp::nack_entry(packet, i);
    const auto encoding =
        std::ranges::find(encodings, *rtp::feedback_media_ssrc(packet), &SentEncoding::ssrc);
    if (encoding == encodings.end()) continue;
    for (int bit = -1; bit < 16; ++bit) {
      if (bit >= 0 && (entry.lost_bitmask >> bit & 1) == 0) continue;
      ++nacked;
      send_again(*encoding, static_cast<std::uint16_t>(entry.packet_id + bit + 1));
    }
  }
}

void Browser::take_payload_feedback(const rtp::RtcpPacketView& packet) {
  const auto make_key_frame = [this](std::uint32_t ssrc) {
    for (SentEncoding& encoding : encodings) {
      if (encoding.ssrc != ssrc) continue;
      encoding.wants_key_frame = true;
      ++encoding.key_frames_asked;
    }
  };
  if (packet.count == rtp::kPayloadFeedbackPli) make_key_frame(*rtp::feedback_media_ssrc(packet));
  if (packet.count == rtp::kPayloadFeedbackFir) {
    for (std::size_t i = 0; i < rtp::fir_entry_count(packet); ++i) {
      ++intra_requests;
      make_key_frame(rtp::fir_entry(packet, i).ssrc);
    }
  }
  if (packet.count == rtp::kPayloadFeedbackApplication) {
    if (const auto remb = rtp::RembView::parse(packet)) allowance = remb->bitrate();
  }
}

void Browser::ask_for_key_frame(std::uint32_t ssrc) {
  std::array<std::uint8_t, 256> buffer{};
  rtp::RtcpWriter writer(buffer);
  writer.receiver_report(kOwnSsrc, {});
  writer.picture_loss_indication(kOwnSsrc, ssrc);
  peer.send(srtp::PacketKind::rtcp, writer.written());
  flush();
}

void Browser::ask_by_full_intra_request(std::uint32_t ssrc) {
  std::array<std::uint8_t, 256> buffer{};
  rtp::RtcpWriter writer(buffer);
  writer.receiver_report(kOwnSsrc, {});
  writer.full_intra_request(kOwnSsrc, ssrc, 1);
  peer.send(srtp::PacketKind::rtcp, writer.written());
  flush();
}

void Browser::report_lost(std::uint32_t ssrc, const std::vector<std::uint16_t>& lost) {
  std::array<std::uint8_t, 1024> buffer{};
  std::array<rtp::NackEntry, 64> entries{};
  rtp::RtcpWriter writer(buffer);
  const std::size_t count = rtp::build_nack(lost, entries);
  writer.receiver_report(kOwnSsrc, {});
  writer.nack(kOwnSsrc, ssrc, std::span(entries).first(count));
  peer.send(srtp::PacketKind::rtcp, writer.written());
  flush();
}

void Browser::repair(std::uint32_t ssrc, std::optional<std::uint32_t> retransmissions) {
  if (retransmissions) repairs_[*retransmissions] = ssrc;
  ask_for_missing(ssrc);
}

void Browser::ask_for_missing(std::uint32_t ssrc) {
  constexpr std::uint64_t kReach = 300;
  const auto& have = received[ssrc].in_order;
  if (!have.empty()) {
    const std::uint64_t newest = have.rbegin()->first;
    std::uint64_t number = have.begin()->first;
    if (newest > kReach) number = std::max(number, newest - kReach);
    std::vector<std::uint16_t> missing;
    for (; number < newest && missing.size() < 64; ++number) {
      if (!have.contains(number)) missing.push_back(static_cast<std::uint16_t>(number));
    }
    if (!missing.empty()) report_lost(ssrc, missing);
  }
  world_.after(30ms, [this, ssrc] { ask_for_missing(ssrc); });
}

void Browser::say_goodbye(std::uint32_t ssrc) {
  std::array<std::uint8_t, 256> buffer{};
  rtp::RtcpWriter writer(buffer);
  writer.receiver_report(ssrc, {});
  writer.goodbye(ssrc);
  peer.send(srtp::PacketKind::rtcp, writer.written());
  flush();
}

void Browser::send_sender_report(const SentEncoding& encoding) {
  const auto seconds = std::chrono::duration<double>(world_.now.time_since_epoch()).count();
  std::array<std::uint8_t, 256> buffer{};
  rtp::RtcpWriter writer(buffer);
  writer.sender_report({.ssrc = encoding.ssrc,
                        .ntp = {static_cast<std::uint64_t>((seconds + 1e9) * 4294967296.0)},
                        .rtp = {encoding.timestamp},
                        .packet_count = static_cast<std::uint32_t>(encoding.packets),
                        .octet_count = 0});
  writer.source_description(encoding.ssrc, "browser");
  peer.send(srtp::PacketKind::rtcp, writer.written());
  flush();
}

}  // namespace runnel::simulation
