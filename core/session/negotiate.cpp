// answer and restart: what a client says about a peer connection of its session.
#include <algorithm>
#include <utility>

#include "core/session/lifecycle.h"
#include "core/session/peers.h"
#include "core/session/requests.h"
#include "core/session/webrtc_leg.h"

namespace runnel::session {
namespace {

using signalling::ErrorCode;

std::unexpected<signalling::Error> stale(const PeerRecord& peer, signalling::PeerNumber number) {
  const std::string which = "peer connection " + std::to_string(number);
  if (!peer.negotiation.is_offer_open()) {
    return refuse(ErrorCode::stale_answer, "no offer on " + which + " waits for an answer");
  }
  return refuse(ErrorCode::stale_answer, "the open offer on " + which + " is that of generation " +
                                             std::to_string(peer.negotiation.generation()));
}

/// Legs whose m-lines the client's offer has stopped.
void end_stopped_legs(DeskState& state, const Moment& moment, const PeerKey& key,
                      const std::vector<negotiation::LocalMedium>& going_on) {
  const std::set<signalling::LegNumber> legs = find_peer(state, key)->legs;
  for (const signalling::LegNumber number : legs) {
    const LegRecord* leg = state.find_leg({key.session, number});
    if (leg == nullptr || !leg->offered.empty()) continue;
    const bool goes_on = std::ranges::any_of(leg->tracks, [&](const LegTrack& track) {
      return std::ranges::any_of(going_on, [&](const negotiation::LocalMedium& medium) {
        return medium.agreed.mid == track.mid;
      });
    });
    if (!goes_on) {
      end_leg(state, moment, {key.session, number}, signalling::LegEndReason::goodbye);
    }
  }
}

}  // namespace

Expected<void> take_answer(DeskState& state, const Moment& moment, const PeerKey& key,
                           std::string_view sdp) {
  PeerRecord& peer = *find_peer(state, key);
  const auto outcomes = peer.negotiation.read_answer(sdp);
  if (!outcomes) return std::unexpected(from_negotiation(outcomes.error()));
  peer.offer.clear();
  const auto described = describe_peer(state, moment, peer, peer.negotiation.peer_transport(),
                                       peer.negotiation.our_setup());
  if (!described) {
    end_peer(state, moment, key, signalling::PeerEndReason::wrong_fingerprint);
    return described;
  }
  take_outcomes(state, moment, key, *outcomes);
  state.changed_peers.insert(key);
  return {};
}

Result handle(DeskState& state, const Call& call, const signalling::PeerAnswer& wish) {
  const auto peer = find_own_peer(state.sessions.at(call.session), wish.peer);
  if (!peer) return std::unexpected(peer.error());
  const negotiation::PeerConnection& negotiation = (*peer)->negotiation;
  if (!negotiation.is_offer_open() || negotiation.generation() != wish.generation) {
    return stale(**peer, wish.peer);
  }
  const auto taken = take_answer(state, call.moment, {call.session, wish.peer}, wish.sdp);
  if (!taken) return std::unexpected(taken.error());
  return signalling::Done{};
}

Result handle(DeskState& state, const Call& call, const signalling::Restart& wish) {
  SessionRecord& session = state.sessions.at(call.session);
  const auto found = find_own_peer(session, wish.peer);
  if (!found) return std::unexpected(found.error());
  PeerRecord& peer = **found;
  if (!peer.described) {
    return refuse(ErrorCode::stale_answer, "the server's offer is to be answered first");
  }
  const auto offer = peer.negotiation.read_offer(wish.offer);
  if (!offer) return std::unexpected(from_negotiation(offer.error()));
  const auto going_on = peer.negotiation.continued(*offer);
  if (!going_on) return std::unexpected(from_negotiation(going_on.error()));
  const auto described =
      peer.negotiation.restarts_ice(offer->transport)
          ? restart_peer(state, call.moment, peer, offer->transport)
          : describe_peer(state, call.moment, peer, offer->transport, peer.negotiation.our_setup());
  if (!described) return std::unexpected(described.error());
  signalling::RestartAnswer answer;
  answer.peer = wish.peer;
  answer.answer = peer.negotiation.write_answer(*offer, *going_on,
                                                local_transport(state, peer, session.address));
  peer.offer.clear();
  const PeerKey key{call.session, wish.peer};
  state.changed_peers.insert(key);
  end_stopped_legs(state, call.moment, key, *going_on);
  return answer;
}

}  // namespace runnel::session
