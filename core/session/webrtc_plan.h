// What a webrtc leg on its way into the tables has besides other legs.
#pragma once

#include <optional>
#include <vector>

#include "core/negotiation/agreement.h"
#include "core/negotiation/offer.h"
#include "core/session/session_record.h"

namespace runnel::session {

struct WebRtcPlan {
  std::optional<PeerRecord> made;           // a peer connection of its own
  signalling::PeerNumber joined = 0;        // or one that the session has
  std::optional<negotiation::Offer> offer;  // of the client; nullopt: the server offers
  /// By track of the leg, with `offer`.
  std::vector<negotiation::AgreedMedium> agreed;
  /// By track of the leg, without.
  std::vector<OfferedMedium> offered;
};

}  // namespace runnel::session
