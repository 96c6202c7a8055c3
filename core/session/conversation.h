// What is said on a WebSocket: hello first, then requests and their answers.
#pragma once

#include <string_view>

#include "core/session/desk_state.h"
#include "core/session/moment.h"

namespace runnel::session {

/// A text of the client.
void take_text(DeskState& state, const Moment& moment, ConnectionId connection,
               std::string_view text);
/// The connection has gone by itself.
void lose_connection(DeskState& state, const Moment& moment, ConnectionId connection);
/// The desk ends it.
void close_connection(DeskState& state, ConnectionId connection, std::uint16_t code,
                      std::string reason);

}  // namespace runnel::session
