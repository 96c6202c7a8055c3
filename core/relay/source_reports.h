// Our RTCP to a source: reception reports, requests for key frames, BYE.
#pragma once

#include <algorithm>
#include <array>

#include "core/relay/sealer.h"
#include "core/rtp/rtcp_writer.h"

namespace runnel::relay {

inline constexpr std::array kSourceTasks{
    ControlTask::reception_report, ControlTask::key_frame_request, ControlTask::goodbye_to_source,
    ControlTask::negative_acknowledgement};

[[nodiscard]] inline bool speaks_to_source(ControlQueue::Tasks tasks) noexcept {
  return std::ranges::any_of(kSourceTasks, [tasks](ControlTask task) { return tasks.has(task); });
}

/// The compound that says all that the tasks ask for; of a negative acknowledgement alone, without
/// a report (RFC 5506). False, and nothing is written, while the source's SSRC or address is not
/// known.
[[nodiscard]] bool write_to_source(EngineState& state, SourceTrack& track,
                                   ControlQueue::Tasks tasks, rtp::RtcpWriter& writer) noexcept;
/// The same into the outbox, which must not be full.
void send_to_source(EngineState& state, SourceTrack& track, ControlQueue::Tasks tasks,
                    Outbox& outbox, Sealer& sealer) noexcept;

}  // namespace runnel::relay
