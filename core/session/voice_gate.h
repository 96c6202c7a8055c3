// Voice connections: each is two legs of a session of its own, driven by the dialect.
#pragma once

#include <string>
#include <string_view>

#include "core/session/desk_state.h"
#include "core/session/moment.h"
#include "core/session/result.h"

namespace runnel::session {

[[nodiscard]] Expected<ConnectionId> open_voice(DeskState& state, const Moment& moment,
                                                const Client& client, std::string_view stream,
                                                voice::Role role);
void take_voice_text(DeskState& state, const Moment& moment, ConnectionId connection,
                     std::string_view text);
/// A packet of the stream that the connection hears.
void play_to_voice(DeskState& state, const Moment& moment, const MessageLeg& leg, ByteView packet);
void voice_is_due(DeskState& state, const Moment& moment, ConnectionId connection);

/// It is gone: its peers do not find it any more.
void forget_voice(DeskState& state, ConnectionId connection);

/// Begins to hear its stream, or goes on waiting for it.
void listen(DeskState& state, const Moment& moment, ConnectionId connection);
/// One of its legs has ended.
void voice_leg_ended(DeskState& state, ConnectionId connection, const signalling::LegEnded& event);

}  // namespace runnel::session
