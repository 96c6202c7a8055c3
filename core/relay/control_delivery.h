// Writes the RTCP that waits in the control queue.
#pragma once

#include "core/relay/sealer.h"

namespace runnel::relay {

/// Goes on where the last call stopped, until the outbox is full or the queue is empty.
void deliver_control(EngineState& state, Outbox& outbox, Sealer& sealer) noexcept;

}  // namespace runnel::relay
