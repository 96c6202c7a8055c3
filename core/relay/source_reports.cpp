#include "core/relay/source_reports.h"

#include "core/relay/rtcp_draft.h"
#include "core/rtp/rtcp_writer.h"

namespace runnel::relay {

void send_to_source(EngineState& state, SourceTrack& track, ControlQueue::Tasks tasks,
                    Outbox& outbox, Sealer& sealer) noexcept {
  const auto destination = track.reply_address();
  const auto media_ssrc = track.ssrc.current();
  if (!destination || !media_ssrc) return;
  Relay& relay = state.relays[track.relay];
  const rtp::ReportBlock block = track.reception.report(state.now);

  rtp::RtcpWriter writer(outbox.next_slot());
  writer.receiver_report(relay.reply_ssrc, {&block, 1});
  writer.source_description(relay.reply_ssrc, text(relay.cname));
  if (tasks.has(ControlTask::key_frame_request)) {
    writer.picture_loss_indication(relay.reply_ssrc, *media_ssrc);
    ++track.key_frame_requests;
  }
  if (tasks.has(ControlTask::goodbye_to_source)) writer.goodbye(relay.reply_ssrc);
  sealer.add(rtcp_draft(writer.written(), DatagramOwner::source(state.index_of(track)),
                        relay.reply_sender, track.reply_port(), *destination));
}

}  // namespace runnel::relay
