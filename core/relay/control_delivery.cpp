#include "core/relay/control_delivery.h"

#include "core/relay/outgoing_identity.h"
#include "core/relay/receiver_reports.h"
#include "core/relay/source_reports.h"

namespace runnel::relay {
namespace {

/// Calls `tell` for each receiver of the track; false when the outbox is full before the end.
template <typename Tell>
bool tell_receivers(EngineState& state, const SourceTrack& track, const Outbox& outbox,
                    Tell tell) noexcept {
  std::size_t& cursor = state.control_cursor;
  for (; cursor < track.receivers.size(); ++cursor) {
    if (outbox.full()) return false;
    tell(state.receivers[track.receivers[cursor]]);
  }
  cursor = 0;
  return true;
}

/// One of the tasks that the receivers of a track are told; false as above.
bool do_receiver_task(EngineState& state, const SourceTrack& track, ControlTask task,
                      Outbox& outbox, Sealer& sealer) noexcept {
  return tell_receivers(state, track, outbox, [&](ReceiverTrack& receiver) {
    switch (task) {
      case ControlTask::sender_reports:
        send_sender_report(state, receiver, outbox, sealer);
        break;
      case ControlTask::overdue_sender_reports:
        if (receiver.sender_report_overdue) send_sender_report(state, receiver, outbox, sealer);
        break;
      case ControlTask::goodbyes:
        if (receiver.link) break;  // it keeps the SSRC that its SDP has told
        send_goodbye(state, receiver, outbox, sealer);
        end_identity(state, receiver);
        break;
      default:
        break;
    }
  });
}

constexpr std::array kReceiverTasks{ControlTask::sender_reports,
                                    ControlTask::overdue_sender_reports, ControlTask::goodbyes};

bool do_track(EngineState& state, Outbox& outbox, Sealer& sealer) noexcept {
  SourceTrack& track = state.tracks[state.control.track()];
  const ControlQueue::Tasks tasks = state.control.tasks();
  if (speaks_to_source(tasks)) {
    send_to_source(state, track, tasks, outbox, sealer);
    for (const ControlTask task : kSourceTasks) state.control.done(task);
    if (outbox.full()) return false;
  }
  for (const ControlTask task : kReceiverTasks) {
    if (!tasks.has(task)) continue;
    if (!do_receiver_task(state, track, task, outbox, sealer)) return false;
    state.control.done(task);
  }
  return true;
}

}  // namespace

void deliver_control(EngineState& state, Outbox& outbox, Sealer& sealer) noexcept {
  while (!state.control.empty() && !outbox.full()) {
    if (!do_track(state, outbox, sealer)) return;
    state.control.pop();
  }
}

}  // namespace runnel::relay
