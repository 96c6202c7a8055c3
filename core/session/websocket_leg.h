// Gives a leg its channels: numbers for binary messages, and the engine's number for all of them.
#pragma once

#include "core/session/desk_state.h"

namespace runnel::session {

/// For a planned leg of websocket kind, whose `tracks` are complete. Numbers its channels, also in
/// what the client is told. `relay` and `receiver` are set later (`place_message_leg`).
[[nodiscard]] relay::ChannelId open_channels(DeskState& state, const LegKey& key,
                                             SessionRecord& session, LegRecord& leg);
void place_message_leg(DeskState& state, const LegRecord& leg);
void close_channels(DeskState& state, SessionRecord& session, const LegRecord& leg);

}  // namespace runnel::session
