#include "core/relay/outgoing_identity.h"

namespace runnel::relay {
namespace {

/// SSRCs that one SRTP sender has room for. A receiver changes its SSRC only after a BYE, so this
/// is how often a sender outlives its source before another one is made.
constexpr std::uint32_t kSsrcsPerSender = 8;

void change_ssrc(EngineState& state, ReceiverTrack& receiver) noexcept {
  receiver.ssrc = state.ssrcs.redraw(receiver.ssrc);
  if (!receiver.sender) return;
  if (receiver.ssrcs_used == kSsrcsPerSender) {
    receiver.sender.emplace(make_sender(*state.legs[receiver.leg].key));
    receiver.ssrcs_used = 0;
  }
  ++receiver.ssrcs_used;
}

}  // namespace

srtp::Sender make_sender(const srtp::MasterKey& key) {
  return srtp::Sender(key, {.max_ssrcs = kSsrcsPerSender});
}

void begin_or_resume(EngineState& state, ReceiverTrack& receiver, std::uint64_t position) noexcept {
  SourceTrack& source = state.tracks[receiver.source];
  if (receiver.begun) {
    receiver.sequence.resume(position);
    receiver.run = 0;
    return;
  }
  const bool first_ever = receiver.packets == 0;
  receiver.run = 0;
  if (!first_ever && (receiver.pinned_ssrc || receiver.link)) {
    // The same SSRC under the same key: a number must not be used twice.
    receiver.sequence.resume(position);
  } else {
    if (!first_ever) change_ssrc(state, receiver);
    receiver.sequence.start(position, static_cast<std::uint16_t>(state.random.u32()));
  }
  receiver.timestamp_offset = state.random.u32();
  receiver.newest_time.reset();
  receiver.begun = true;
  receiver.sender_report_overdue = true;
  ++source.overdue_sender_reports;
}

void end_identity(EngineState& state, ReceiverTrack& receiver) noexcept {
  receiver.sequence.pause();
  if (!receiver.begun) return;
  receiver.begun = false;
  receiver.packet_count = 0;
  receiver.octet_count = 0;
  receiver.reports.forget();
  // The SSRC changes only when packets come again: the BYE may not be sealed yet, and belongs to
  // the sender that knows the old one.
  if (!receiver.sender_report_overdue) return;
  receiver.sender_report_overdue = false;
  --state.tracks[receiver.source].overdue_sender_reports;
}

}  // namespace runnel::relay
