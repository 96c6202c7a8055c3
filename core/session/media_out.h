// The way of the engine's messages: packets to binary messages, RTCP to events.
#pragma once

#include <optional>

#include "core/session/desk_state.h"
#include "core/session/moment.h"

namespace runnel::session {

/// As Desk::prepare and Desk::prepare_next.
[[nodiscard]] std::optional<MediaMessage> prepare_media(DeskState& state, const Moment& moment,
                                                        const relay::OutgoingMessage& message,
                                                        std::size_t room) noexcept;
[[nodiscard]] std::optional<MediaMessage> prepare_next_frame(DeskState& state,
                                                             std::size_t room) noexcept;

/// Asks for the key frames that `prepare` has found wanting; the engine must be drained.
void ask_for_key_frames(DeskState& state) noexcept;

}  // namespace runnel::session
