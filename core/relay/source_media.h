// RTP from a source: which SSRC it is, where it stands on the line, and into the burst with it.
#pragma once

#include "core/relay/engine_state.h"

namespace runnel::relay {

/// Whether a packet came by a retransmission, which says nothing of how the path receives.
enum class Repeat : std::uint8_t { no, yes };

/// `clear` is authenticated and decrypted, and stays alive until the burst is drained. False when
/// it was not accepted.
bool take_source_media(EngineState& state, SourceTrack& track, const PacketOrigin& from,
                       ByteView clear, Repeat repeat = Repeat::no) noexcept;

}  // namespace runnel::relay
