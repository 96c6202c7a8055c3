// The statistics of a relay, copied out of its tracks.
#pragma once

#include "core/relay/engine_state.h"

namespace runnel::relay {

[[nodiscard]] RelayStatistics snapshot(const EngineState& state, std::size_t relay_index);
/// Of a source by a peer, of the medium whose first encoding this is.
[[nodiscard]] std::vector<EncodingStatistics> snapshot_of_encodings(const EngineState& state,
                                                                    const SourceTrack& first);

}  // namespace runnel::relay
