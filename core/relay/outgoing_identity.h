// Under which SSRC, sequence numbers and timestamps a receiver gets its packets.
#pragma once

#include "core/relay/engine_state.h"

namespace runnel::relay {

/// A sender for one medium of a receiver.
[[nodiscard]] srtp::Sender make_sender(const srtp::MasterKey& key);

/// To be called before the first packet to a receiver that is not being served, which has the
/// position `position`. Its first packet ever, and the first after a BYE, begin a new random SSRC
/// (unless it is pinned), sequence and timestamp; after any other interruption it goes on behind
/// the last number that it got.
void begin_or_resume(EngineState& state, ReceiverTrack& receiver, std::uint64_t position) noexcept;

/// The receiver has been told good-bye, or has left: what comes next begins anew.
void end_identity(EngineState& state, ReceiverTrack& receiver) noexcept;

}  // namespace runnel::relay
