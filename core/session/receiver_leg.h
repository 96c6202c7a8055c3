// A subscribe wish as a receiver leg of the engine.
#pragma once

#include <vector>

#include "core/relay/relay_description.h"
#include "core/session/desk_state.h"
#include "core/session/result.h"

namespace runnel::session {

struct PlannedReceiver {
  relay::ReceiverLeg leg;  // without a channel
  signalling::Leg told;    // without its number and SSRCs; tracks by medium of the leg
};

/// Checks what the server can grant of it, for a stream of these tracks.
[[nodiscard]] Expected<PlannedReceiver> plan_receiver(DeskState& state, const IpAddress& client,
                                                      const StreamRecord& stream,
                                                      const signalling::Subscribe& wish);

}  // namespace runnel::session
