// Which encoding of a medium each of its receivers follows, and how one leads over to another.
#pragma once

#include "core/relay/engine_state.h"
#include "core/rtp/rtp_packet.h"

namespace runnel::relay {

/// Silence of an encoding after which its receivers are led to another one that flows: publishers
/// leave out encodings when their network gets narrow.
inline constexpr Duration kEncodingSilence = std::chrono::milliseconds(1'500);

/// Gives the medium whose first encoding is `first` another one. References to tracks end.
void add_encoding(EngineState& state, std::uint32_t relay, std::uint32_t first);

/// After tracks were added.
void resize_for_tracks(EngineState& state);

/// Of a receiver that has just been made: it follows its medium's packets at once or, by a peer or
/// where there are several encodings, from a key frame on.
void join_encoding(EngineState& state, ReceiverTrack& receiver);
/// Leaves whatever it follows or waits for.
void leave_encodings(EngineState& state, ReceiverTrack& receiver) noexcept;

/// The receiver has missed packets, and will not know, since its numbers go on without a gap. By a
/// peer it begins anew at a key frame, which is asked for; others go on at once.
void begin_again(EngineState& state, ReceiverTrack& receiver) noexcept;
/// The same of all that follow the track, as another run of packets begins: pictures that build on
/// those of the one before would be shown as rubbish. The key frame is not asked for.
void await_key_frame(EngineState& state, SourceTrack& track) noexcept;

/// Looks again which encoding is the one for the receiver, and waits for its key frame if that is
/// another one. Asks for it.
void want_encoding(EngineState& state, ReceiverTrack& receiver) noexcept;
/// The same for all receivers of the medium that the track is one encoding of: one has begun,
/// fallen silent, or shown its size.
void reconsider_encodings(EngineState& state, const SourceTrack& track) noexcept;
/// A key frame of the track begins with the packet at `place`: those who have waited follow it from
/// here.
void lead_over(EngineState& state, SourceTrack& track, const LinePlace& place) noexcept;

}  // namespace runnel::relay
