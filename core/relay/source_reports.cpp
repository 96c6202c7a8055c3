#include "core/relay/source_reports.h"

#include "core/relay/peer_feedback.h"
#include "core/relay/rtcp_draft.h"

namespace runnel::relay {

namespace {

/// Where the source is.
std::optional<Path> path_to(const EngineState& state, const SourceTrack& track) noexcept {
  if (track.link) return state.links[*track.link].path;
  if (const auto address = track.reply_address()) return Path{track.reply_port(), *address};
  return std::nullopt;
}

/// Who wants no PLI but knows FIR gets that.
void ask_for_key_frame(SourceTrack& track, std::uint32_t ssrc, rtp::RtcpWriter& writer) noexcept {
  ++track.key_frame_requests;
  const bool by_intra_request = track.webrtc && !track.webrtc->agreed.feedback.picture_loss &&
                                track.webrtc->agreed.feedback.intra_request;
  if (by_intra_request) {
    const auto number = static_cast<std::uint8_t>(track.key_frame_requests);
    return writer.full_intra_request(ssrc, *track.ssrc.current(), number);
  }
  writer.picture_loss_indication(ssrc, *track.ssrc.current());
}

}  // namespace

bool write_to_source(EngineState& state, SourceTrack& track, ControlQueue::Tasks tasks,
                     rtp::RtcpWriter& writer) noexcept {
  const Relay& relay = state.relays[track.relay];
  const bool is_somewhere = track.channel || path_to(state, track);
  if (!relay.from || !is_somewhere || !track.ssrc.current()) return false;
  const std::uint32_t ssrc = relay.from->reply_ssrc;
  const bool reports = tasks.has(ControlTask::reception_report) ||
                       tasks.has(ControlTask::key_frame_request) ||
                       tasks.has(ControlTask::goodbye_to_source);
  if (reports) {
    const rtp::ReportBlock block = track.reception.report(state.now);
    writer.receiver_report(ssrc, {&block, 1});
    writer.source_description(ssrc, text(relay.cname));
  }
  if (tasks.has(ControlTask::reception_report)) write_allowance(state, track, ssrc, writer);
  if (tasks.has(ControlTask::key_frame_request)) ask_for_key_frame(track, ssrc, writer);
  if (tasks.has(ControlTask::negative_acknowledgement)) write_missing(state, track, ssrc, writer);
  if (tasks.has(ControlTask::goodbye_to_source)) writer.goodbye(ssrc);
  return !writer.written().empty();
}

void send_to_source(EngineState& state, SourceTrack& track, ControlQueue::Tasks tasks,
                    Outbox& outbox, Sealer& sealer) noexcept {
  const bool is_gone = track.link && state.links[*track.link].sender == nullptr;
  if (is_gone) return forget_missing(state, track);
  rtp::RtcpWriter writer(outbox.next_slot());
  if (!write_to_source(state, track, tasks, writer)) return;
  auto& reply_sender = state.relays[track.relay].from->reply_sender;
  srtp::Sender* sender = reply_sender ? &*reply_sender : nullptr;
  if (track.link) sender = state.links[*track.link].sender;
  const Path path = path_to(state, track).value_or(Path{});
  Draft draft = rtcp_draft(writer.written(), DatagramOwner::source(track.index), sender, path.port,
                           path.remote);
  draft.channel = track.channel;
  draft.medium = static_cast<std::uint8_t>(track.medium);
  sealer.add(draft);
}

}  // namespace runnel::relay
