// What a receiver by a peer has beside other receivers.
#pragma once

#include <cstdint>

#include "core/relay/relay_description.h"
#include "core/relay/retransmission_budget.h"
#include "core/relay/sequence_history.h"
#include "core/rtp/extension_rewriter.h"

namespace runnel::relay {

struct WebRtcReceiver {
  explicit WebRtcReceiver(const WebRtcMedium& medium)
      : agreed(medium), headers(stamped_extensions(medium), medium.mid) {}

  WebRtcMedium agreed;
  rtp::ExtensionRewriter headers;
  SequenceHistory history;
  RetransmissionBudget budget;
  // Of retransmissions (RFC 4588), when agreed.
  std::uint32_t retransmission_ssrc = 0;
  std::uint16_t next_retransmission_number = 0;

  /// Without a stream for retransmissions, a packet that is sent again has to be the same to the
  /// last bit: with AES-GCM, another header under the same nonce would give the key away.
  [[nodiscard]] static rtp::ExtensionIds stamped_extensions(const WebRtcMedium& medium) noexcept {
    rtp::ExtensionIds ids = medium.extensions;
    if (medium.feedback.nack && !medium.retransmission_payload_type) {
      ids.set(rtp::ExtensionKind::absolute_send_time, 0);
      ids.set(rtp::ExtensionKind::transport_wide_number, 0);
    }
    return ids;
  }
};

}  // namespace runnel::relay
