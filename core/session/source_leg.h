// A publish wish as a source leg of the engine.
#pragma once

#include <vector>

#include "core/relay/relay_description.h"
#include "core/session/desk_state.h"
#include "core/session/moment.h"
#include "core/session/result.h"
#include "core/session/webrtc_plan.h"

namespace runnel::session {

struct PlannedSource {
  relay::SourceLeg leg;              // media in the order of the wish; without a channel
  std::vector<std::uint32_t> drawn;  // SSRCs that are reserved for it
  signalling::Leg told;              // without its number
  std::optional<WebRtcPlan> webrtc = std::nullopt;
};

/// Checks what the server can grant of it. On success, whoever does not use the plan gives back
/// what was drawn and begun for it (`discard`).
[[nodiscard]] Expected<PlannedSource> plan_source(DeskState& state, const Moment& moment,
                                                  const IpAddress& client,
                                                  const signalling::Publish& wish);
void discard(DeskState& state, const PlannedSource& plan);

}  // namespace runnel::session
