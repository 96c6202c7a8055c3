// RTCP from a source: sender reports, BYE, and where its RTCP comes from.
#pragma once

#include "core/relay/engine_state.h"

namespace runnel::relay {

/// `clear` is authenticated and decrypted, and came to `port`, which belongs to the source of
/// `relay`.
void take_source_control(EngineState& state, const Relay& relay, PortIndex port,
                         const SocketAddress& from, ByteView clear) noexcept;
/// What the source's clock showed at `state.now`, by whatever way. Nothing before its first packet.
void take_source_clock(EngineState& state, SourceTrack& track, NtpTime ntp, RtpTime rtp) noexcept;

}  // namespace runnel::relay
