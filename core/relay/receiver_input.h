// What receivers send: reports, requests for key frames, BYE, and signs of where they are.
#pragma once

#include "core/relay/engine_state.h"
#include "core/rtp/rtcp_packet.h"

namespace runnel::relay {

/// An RTP packet, which counts only as a sign of where the receiver is. `clear` is authenticated.
void take_receiver_media(EngineState& state, ReceiverLegState& leg, PortIndex port,
                         const SocketAddress& from, ByteView clear) noexcept;
/// `clear` is authenticated and decrypted.
void take_receiver_control(EngineState& state, ReceiverLegState& leg, PortIndex port,
                           const SocketAddress& from, ByteView clear) noexcept;
/// What a receiver says of itself, by whatever way.
void take_report(ReceiverTrack& receiver, const ReceiverReport& report) noexcept;
/// Of one report block on what the receiver gets.
[[nodiscard]] ReceiverReport report_in(const EngineState& state, const ReceiverTrack& receiver,
                                       const rtp::ReportBlock& block) noexcept;
void want_key_frame(EngineState& state, ReceiverTrack& receiver) noexcept;

/// The first receiver of the leg that uses `port`: the one under which is counted what belongs to
/// no single one.
[[nodiscard]] ReceiverTrack& receiver_on(EngineState& state, const ReceiverLegState& leg,
                                         PortIndex port) noexcept;

}  // namespace runnel::relay
