// A source's packet as one receiver gets it.
#pragma once

#include "core/relay/engine_state.h"
#include "core/relay/sealer.h"

namespace runnel::relay {

/// What is written of a packet into the outbox's next slot: the header, and the payload too where
/// it had to be changed.
struct WrittenPacket {
  std::size_t header_size = 0;
  ByteView payload;
};

/// Translates `packet` for the receiver. `fields.timestamp` is that on the packet's line.
[[nodiscard]] WrittenPacket write_packet(EngineState& state, const ReceiverTrack& receiver,
                                         const ClearPacket& packet,
                                         const rtp::OutgoingFields& fields,
                                         const frames::PictureOffsets& pictures,
                                         ByteSpan slot) noexcept;
/// Hands it to the sealer.
void send_packet(ReceiverTrack& receiver, const WrittenPacket& written, Sealer& sealer) noexcept;

}  // namespace runnel::relay
