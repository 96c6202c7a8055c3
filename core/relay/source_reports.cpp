#include "core/relay/source_reports.h"

#include "core/relay/rtcp_draft.h"

namespace runnel::relay {

bool write_to_source(EngineState& state, SourceTrack& track, ControlQueue::Tasks tasks,
                     rtp::RtcpWriter& writer) noexcept {
  const Relay& relay = state.relays[track.relay];
  const auto media_ssrc = track.ssrc.current();
  const bool is_somewhere = track.channel || track.reply_address();
  if (!relay.from || !is_somewhere || !media_ssrc) return false;
  const std::uint32_t ssrc = relay.from->reply_ssrc;
  const rtp::ReportBlock block = track.reception.report(state.now);
  writer.receiver_report(ssrc, {&block, 1});
  writer.source_description(ssrc, text(relay.cname));
  if (tasks.has(ControlTask::key_frame_request)) {
    writer.picture_loss_indication(ssrc, *media_ssrc);
    ++track.key_frame_requests;
  }
  if (tasks.has(ControlTask::goodbye_to_source)) writer.goodbye(ssrc);
  return true;
}

void send_to_source(EngineState& state, SourceTrack& track, ControlQueue::Tasks tasks,
                    Outbox& outbox, Sealer& sealer) noexcept {
  rtp::RtcpWriter writer(outbox.next_slot());
  if (!write_to_source(state, track, tasks, writer)) return;
  Draft draft = rtcp_draft(writer.written(), DatagramOwner::source(track.index),
                           state.relays[track.relay].from->reply_sender, track.reply_port(),
                           track.reply_address().value_or(SocketAddress{}));
  draft.channel = track.channel;
  draft.medium = static_cast<std::uint8_t>(track.medium);
  sealer.add(draft);
}

}  // namespace runnel::relay
