// To which encoding of a peer's source an SSRC belongs that has not been seen before.
#pragma once

#include <expected>

#include "core/base/drop_reason.h"
#include "core/relay/engine_state.h"
#include "core/rtp/rtp_packet.h"

namespace runnel::relay {

/// By MID and RID (RFC 8843 §9.2, RFC 8852), else by the SSRCs that the SDP announced, else by the
/// payload type if one medium alone has it; but not what names another MID, and an SSRC whose
/// medium is gone is not taken for one of another by its payload type. Remembers what it finds, as
/// the peer ceases to send MID and RID once it knows that they have arrived. For authenticated
/// packets alone. Refusals: unknown_ssrc, unknown_payload_type, too_many_ssrcs.
[[nodiscard]] std::expected<SsrcRoute, DropReason> route_of(
    EngineState& state, PeerLink& link, const rtp::RtpPacketView& packet) noexcept;

}  // namespace runnel::relay
