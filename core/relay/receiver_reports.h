// Our RTCP to a receiver: sender reports in its own terms, and BYE.
#pragma once

#include "core/relay/sealer.h"

namespace runnel::relay {

/// What the source last reported, carried on to now and translated. Nothing for a receiver that
/// gets no packets, or while the source has not reported. The outbox must not be full.
void send_sender_report(EngineState& state, ReceiverTrack& receiver, Outbox& outbox,
                        Sealer& sealer) noexcept;
/// Nothing for a receiver that has got no packets. The outbox must not be full.
void send_goodbye(EngineState& state, ReceiverTrack& receiver, Outbox& outbox,
                  Sealer& sealer) noexcept;

}  // namespace runnel::relay
