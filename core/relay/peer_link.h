// What the engine knows of a peer: which legs travel by it, and whose its SSRCs are.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/base/path.h"
#include "core/relay/ssrc_routes.h"
#include "core/relay/transport_feedback_recorder.h"
#include "core/srtp/srtp_sender.h"
#include "core/transport/peer_description.h"

namespace runnel::relay {

struct PeerLink {
  PeerLink(std::uint32_t own_index, transport::PeerId peer_id, std::size_t max_ssrcs)
      : index(own_index), peer(peer_id), routes(max_ssrcs) {}

  std::uint32_t index;  // its own
  transport::PeerId peer;
  std::vector<std::uint32_t> relays;  // whose source it is
  std::vector<std::uint32_t> legs;    // its receiver legs

  /// Of all that goes to it; nullptr, and no path, while nothing can be sent.
  srtp::Sender* sender = nullptr;
  std::optional<Path> path;

  SsrcRoutes routes;
  std::unique_ptr<TransportFeedbackRecorder> arrivals;  // of what it sends; nullptr: nothing
  std::optional<std::uint32_t> arrivals_ssrc;  // one of its own, by which it knows feedback
  std::uint16_t next_transport_wide_number = 0;
  std::uint64_t transport_feedback = 0;            // packets of it that the peer has sent us
  std::optional<std::uint64_t> estimated_bitrate;  // of what it can receive, as it says (REMB)

  [[nodiscard]] bool is_idle() const noexcept { return relays.empty() && legs.empty(); }
};

}  // namespace runnel::relay
