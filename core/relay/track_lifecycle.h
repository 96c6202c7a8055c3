// The states of a source's medium: when it starts, stalls, ends, and what is due meanwhile.
#pragma once

#include "core/relay/engine_state.h"

namespace runnel::relay {

/// What an accepted packet is to the track.
enum class Arrival : std::uint8_t {
  next,      // goes on under the same SSRC
  new_ssrc,  // the first of another SSRC, or of a source that began anew
};

/// An accepted packet from `from`, at `state.now`. `old_ssrc`: the one before, for `new_ssrc`.
void packet_arrived(EngineState& state, SourceTrack& track, Arrival arrival, std::uint32_t old_ssrc,
                    const PacketOrigin& from) noexcept;
/// The source said BYE for the current SSRC.
void source_said_goodbye(EngineState& state, SourceTrack& track) noexcept;
/// A receiver needs a key frame. Nothing is asked of audio, or of a source that is not there.
void request_key_frame(EngineState& state, SourceTrack& track) noexcept;
/// When something is due for the track next.
void set_deadline(EngineState& state, const SourceTrack& track) noexcept;
/// Does all that is due at `state.now`, and sets the track's next deadline after it.
void run_due(EngineState& state, SourceTrack& track) noexcept;

/// A packet has come for a source under SRTP, which may have sent any number of packets unheard
/// since the last authentic one: lets the receiver look for it far enough ahead.
void search_after_silence(EngineState& state, SourceTrack& track) noexcept;

/// Whether an SSRC that had been replaced may return.
[[nodiscard]] bool is_silent(const EngineState& state, const SourceTrack& track) noexcept;

}  // namespace runnel::relay
