// publish and subscribe by webrtc: between the SDP of a peer connection and media of the engine.
#pragma once

#include <span>
#include <string>

#include "core/session/receiver_leg.h"
#include "core/session/source_leg.h"

namespace runnel::session {

// Plans begin or join a peer connection; nothing is in the tables yet.

[[nodiscard]] Expected<PlannedSource> plan_webrtc_source(DeskState& state, const Moment& moment,
                                                         const signalling::Publish& wish);
/// Keeps of the plan's tracks what the client can take.
[[nodiscard]] Expected<void> plan_webrtc_receiver(DeskState& state, const Moment& moment,
                                                  SessionNumber session,
                                                  const signalling::WebRtcOffer& offer,
                                                  PlannedReceiver& plan);

/// The leg is in the engine now, or waits for the client's answer: it gets its place on its peer
/// connection, and the client its description.
[[nodiscard]] signalling::LegPeer join_peer(DeskState& state, const LegKey& key, LegRecord& leg,
                                            WebRtcPlan& plan);

/// After an answer of the client: subscriptions on the peer that have waited for it begin with what
/// it takes, and those that it does not take any more end.
void take_outcomes(DeskState& state, const Moment& moment, const PeerKey& key,
                   std::span<const negotiation::Outcome> outcomes);

/// What was agreed on, for the engine.
[[nodiscard]] relay::WebRtcMedium webrtc_medium(const negotiation::AgreedMedium& agreed);
/// What a browser groups the tracks of a leg by, and finds them by.
[[nodiscard]] std::string stream_id(const std::string& stream, signalling::LegNumber leg);

}  // namespace runnel::session
