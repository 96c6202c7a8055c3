// A subscribe wish as a receiver leg of the engine.
#pragma once

#include <vector>

#include "core/relay/relay_description.h"
#include "core/session/desk_state.h"
#include "core/session/moment.h"
#include "core/session/result.h"
#include "core/session/webrtc_plan.h"

namespace runnel::session {

struct PlannedReceiver {
  relay::ReceiverLeg leg;  // without a channel
  signalling::Leg told;    // without its number and SSRCs; tracks by medium of the leg
  std::optional<WebRtcPlan> webrtc = std::nullopt;
};

/// The wished tracks, or all of them.
[[nodiscard]] std::vector<signalling::SubscribedTrack> choose_tracks(
    const StreamRecord& stream, const signalling::Subscribe& wish);
/// Adds media and tracks to the plan, as the stream has them.
[[nodiscard]] Expected<void> add_tracks(const StreamRecord& stream,
                                        const std::vector<signalling::SubscribedTrack>& wished,
                                        PlannedReceiver& plan);

/// Checks what the server can grant of it, for a stream of these tracks. The plan of a webrtc leg
/// must be used, or given back (`discard`).
[[nodiscard]] Expected<PlannedReceiver> plan_receiver(DeskState& state, const Moment& moment,
                                                      SessionNumber session,
                                                      const StreamRecord& stream,
                                                      const signalling::Subscribe& wish);
void discard(DeskState& state, const PlannedReceiver& plan);

}  // namespace runnel::session
