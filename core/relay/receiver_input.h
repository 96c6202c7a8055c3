// What receivers send: reports, requests for key frames, BYE, and signs of where they are.
#pragma once

#include "core/relay/engine_state.h"

namespace runnel::relay {

/// An RTP packet, which counts only as a sign of where the receiver is. `clear` is authenticated.
void take_receiver_media(EngineState& state, ReceiverLegState& leg, PortIndex port,
                         const SocketAddress& from, ByteView clear) noexcept;
/// `clear` is authenticated and decrypted.
void take_receiver_control(EngineState& state, ReceiverLegState& leg, PortIndex port,
                           const SocketAddress& from, ByteView clear) noexcept;
/// What a receiver says of itself, by whatever way.
void take_report(ReceiverTrack& receiver, const ReceiverReport& report) noexcept;
void want_key_frame(EngineState& state, ReceiverTrack& receiver) noexcept;

/// The first receiver of the leg that uses `port`: the one under which is counted what belongs to
/// no single one.
[[nodiscard]] ReceiverTrack& receiver_on(EngineState& state, const ReceiverLegState& leg,
                                         PortIndex port) noexcept;

}  // namespace runnel::relay
