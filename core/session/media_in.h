// The way of a binary message: from its channel to the engine's medium.
#pragma once

#include "core/session/desk_state.h"

namespace runnel::session {

/// False when the intake has to be flushed first, and then the message to be given again.
[[nodiscard]] bool take_media(DeskState& state, ConnectionId connection, ByteView message);

}  // namespace runnel::session
