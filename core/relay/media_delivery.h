// From the burst to each receiver: the source's packets under the receiver's own SSRC, sequence
// numbers, timestamps and payload type.
#pragma once

#include "core/relay/sealer.h"

namespace runnel::relay {

/// Goes on where the last call stopped, until the outbox is full or the burst is done. All packets
/// of this wake-up to one receiver follow each other.
void deliver_media(EngineState& state, Outbox& outbox, Sealer& sealer) noexcept;

}  // namespace runnel::relay
