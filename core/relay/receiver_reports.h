// Our RTCP to a receiver: sender reports in its own terms, and BYE.
#pragma once

#include "core/relay/sealer.h"
#include "core/rtp/rtcp_writer.h"

namespace runnel::relay {

/// What the source last reported, carried on to now and translated. Nothing for a receiver that
/// gets no packets, or while the source has not reported. The outbox must not be full.
void send_sender_report(EngineState& state, ReceiverTrack& receiver, Outbox& outbox,
                        Sealer& sealer) noexcept;
/// The compound that says BYE. False, and nothing is written, for a receiver that has got no
/// packets.
[[nodiscard]] bool write_goodbye(EngineState& state, ReceiverTrack& receiver,
                                 rtp::RtcpWriter& writer) noexcept;
/// The same into the outbox, which must not be full.
void send_goodbye(EngineState& state, ReceiverTrack& receiver, Outbox& outbox,
                  Sealer& sealer) noexcept;

}  // namespace runnel::relay
