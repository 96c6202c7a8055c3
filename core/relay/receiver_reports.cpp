#include "core/relay/receiver_reports.h"

#include "core/relay/rtcp_draft.h"
#include "core/rtp/rtcp_writer.h"

namespace runnel::relay {
namespace {

rtp::SenderReport translated_report(const EngineState& state, const ReceiverTrack& receiver,
                                    const SenderReportClock& clock,
                                    std::uint32_t clock_rate) noexcept {
  const RtpTime line_time = clock.rtp_at(state.now, clock_rate);
  return {.ssrc = receiver.ssrc,
          .ntp = clock.ntp_at(state.now),
          .rtp = {line_time.value + receiver.timestamp_offset},
          .packet_count = receiver.packet_count,
          .octet_count = receiver.octet_count};
}

/// A compound begins with a report and our name (RFC 3550 §6.1).
void begin_compound(EngineState& state, ReceiverTrack& receiver, rtp::RtcpWriter& writer) noexcept {
  const SourceTrack& track = state.tracks[receiver.source];
  if (track.clock) {
    const auto report = translated_report(state, receiver, *track.clock, track.codec.clock_rate);
    writer.sender_report(report);
    receiver.reports.sent(report.ntp, state.now);
  } else {
    writer.receiver_report(receiver.ssrc, {});
  }
  writer.source_description(receiver.ssrc, text(state.relays[track.relay].cname));
}

void send(ReceiverTrack& receiver, rtp::RtcpWriter& writer, Sealer& sealer) noexcept {
  Draft draft = rtcp_draft(writer.written(), DatagramOwner::receiver(receiver.index),
                           receiver.present_sender(), receiver.control_port(),
                           receiver.rtcp_destination.value_or(SocketAddress{}));
  draft.channel = receiver.channel;
  draft.medium = static_cast<std::uint8_t>(receiver.id.medium);
  sealer.add(draft);
}

bool is_served(const ReceiverTrack& receiver) noexcept {
  const bool is_somewhere = receiver.rtcp_destination || receiver.channel;
  return receiver.begun && is_somewhere && !receiver.key_expired;
}

}  // namespace

void send_sender_report(EngineState& state, ReceiverTrack& receiver, Outbox& outbox,
                        Sealer& sealer) noexcept {
  SourceTrack& track = state.tracks[receiver.source];
  if (!is_served(receiver) || receiver.paused || !track.clock) return;
  rtp::RtcpWriter writer(outbox.next_slot());
  begin_compound(state, receiver, writer);
  send(receiver, writer, sealer);
  if (!receiver.sender_report_overdue) return;
  receiver.sender_report_overdue = false;
  --track.overdue_sender_reports;
}

void send_goodbye(EngineState& state, ReceiverTrack& receiver, Outbox& outbox,
                  Sealer& sealer) noexcept {
  rtp::RtcpWriter writer(outbox.next_slot());
  if (write_goodbye(state, receiver, writer)) send(receiver, writer, sealer);
}

bool write_goodbye(EngineState& state, ReceiverTrack& receiver, rtp::RtcpWriter& writer) noexcept {
  if (!is_served(receiver)) return false;
  begin_compound(state, receiver, writer);
  writer.goodbye(receiver.ssrc);
  return true;
}

}  // namespace runnel::relay
