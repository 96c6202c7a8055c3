// Our RTCP to a source: reception reports, requests for key frames, BYE.
#pragma once

#include <array>

#include "core/relay/sealer.h"

namespace runnel::relay {

inline constexpr std::array kSourceTasks{
    ControlTask::reception_report, ControlTask::key_frame_request, ControlTask::goodbye_to_source};

[[nodiscard]] inline bool speaks_to_source(ControlQueue::Tasks tasks) noexcept {
  return tasks.has(ControlTask::reception_report) || tasks.has(ControlTask::key_frame_request) ||
         tasks.has(ControlTask::goodbye_to_source);
}

/// All that the tasks ask for in one compound packet. Nothing while the source's address is not
/// known. The outbox must not be full.
void send_to_source(EngineState& state, SourceTrack& track, ControlQueue::Tasks tasks,
                    Outbox& outbox, Sealer& sealer) noexcept;

}  // namespace runnel::relay
