#include "core/session/webrtc_leg.h"

#include <algorithm>
#include <utility>

#include "core/session/lifecycle.h"
#include "core/session/peers.h"

namespace runnel::session {
namespace {

using signalling::LegEndReason;

/// Of a subscription in the engine: under what its track is sent.
negotiation::SentSource sent_source(const DeskState& state, const LegKey& key, const LegRecord& leg,
                                    const LegTrack& track) {
  const relay::ReceiverMediumId id{leg.relay, *leg.receiver, track.medium};
  return {.ssrc = state.engine.receiver_ssrc(id),
          .retransmission_ssrc = state.engine.retransmission_ssrc(id),
          .canonical_name = std::string(state.engine.canonical_name(leg.relay)),
          .stream_id = stream_id(leg.stream, key.leg),
          .track_id = track.told.name};
}

std::string answer_offer(DeskState& state, const LegKey& key, LegRecord& leg, PeerRecord& peer,
                         const WebRtcPlan& plan) {
  std::vector<negotiation::LocalMedium> accepted;
  for (std::size_t i = 0; i < plan.agreed.size(); ++i) {
    LegTrack& track = leg.tracks[i];
    track.mid = plan.agreed[i].mid;
    negotiation::LocalMedium& medium = accepted.emplace_back();
    medium.agreed = plan.agreed[i];
    if (leg.receiver) medium.source = sent_source(state, key, leg, track);
  }
  const IpAddress& address = state.sessions.at(key.session).address;
  return peer.negotiation.write_answer(*plan.offer, accepted,
                                       local_transport(state, peer, address));
}

/// What has become of the m-lines of one leg.
class LegOutcome {
 public:
  LegOutcome(DeskState& state, const LegKey& key, LegRecord& leg,
             std::span<const negotiation::Outcome> outcomes)
      : state_(state), key_(key), leg_(leg), outcomes_(outcomes) {}

  /// nullopt: it goes on, or still waits; otherwise it has to end.
  std::optional<LegEndReason> take() { return leg_.offered.empty() ? look_at_present() : begin(); }

 private:
  const negotiation::Outcome* outcome_of(std::string_view mid) const {
    const auto found = std::ranges::find(outcomes_, mid, &negotiation::Outcome::mid);
    return found == outcomes_.end() ? nullptr : &*found;
  }

  /// Its packets are numbered as was agreed before, and a key must not meet an SSRC twice.
  std::optional<LegEndReason> look_at_present() const {
    for (const LegTrack& track : leg_.tracks) {
      const negotiation::Outcome* outcome = outcome_of(track.mid);
      if (outcome == nullptr) continue;
      return outcome->medium ? LegEndReason::tracks_changed : LegEndReason::refused;
    }
    return std::nullopt;
  }

  std::optional<LegEndReason> begin() {
    // All its m-lines were in one offer.
    if (outcome_of(leg_.offered.front().mid) == nullptr) return std::nullopt;
    relay::ReceiverLeg receiver;
    std::vector<LegTrack> taken;
    const std::vector<OfferedMedium> offered = std::exchange(leg_.offered, {});
    for (std::size_t i = 0; i < offered.size(); ++i) {
      const negotiation::Outcome* outcome = outcome_of(offered[i].mid);
      if (outcome == nullptr || !outcome->medium) {
        release_ssrcs(state_, offered[i]);
        continue;
      }
      LegTrack& track = taken.emplace_back(std::move(leg_.tracks[i]));
      track.medium = receiver.media.size();
      track.told.payload_type = outcome->medium->payload_type;
      receiver.media.push_back(medium_of(offered[i], *outcome->medium));
    }
    leg_.tracks = std::move(taken);
    if (receiver.media.empty()) return LegEndReason::refused;
    receiver.peer = find_peer(state_, {key_.session, *leg_.peer})->id;
    const auto added = state_.engine.add_receiver(leg_.relay, std::move(receiver));
    if (!added) {
      for (const OfferedMedium& medium : offered) release_ssrcs(state_, medium);
      return LegEndReason::refused;
    }
    leg_.receiver = *added;
    if (leg_.paused) state_.engine.set_paused(leg_.relay, *added, true);
    return std::nullopt;
  }

  static relay::ReceiverMedium medium_of(const OfferedMedium& offered,
                                         const negotiation::AgreedMedium& agreed) {
    relay::ReceiverMedium medium;
    medium.source = offered.source;
    medium.payload_type = agreed.payload_type;
    medium.webrtc = webrtc_medium(agreed);
    medium.webrtc->ssrcs = {{offered.ssrc, offered.retransmission_ssrc}};
    medium.layers = offered.layers;
    return medium;
  }

  DeskState& state_;
  LegKey key_;
  LegRecord& leg_;
  std::span<const negotiation::Outcome> outcomes_;
};

}  // namespace

signalling::LegPeer join_peer(DeskState& state, const LegKey& key, LegRecord& leg,
                              WebRtcPlan& plan) {
  const signalling::PeerNumber number =
      plan.made ? adopt_peer(state, key.session, std::move(*plan.made)) : plan.joined;
  PeerRecord& peer = *find_peer(state, {key.session, number});
  peer.legs.insert(key.leg);
  leg.peer = number;
  signalling::LegPeer told;
  told.peer = number;
  if (plan.offer) {
    told.answer = answer_offer(state, key, leg, peer, plan);
    return told;
  }
  for (std::size_t i = 0; i < plan.offered.size(); ++i) {
    leg.tracks[i].mid = plan.offered[i].mid;
  }
  leg.offered = std::move(plan.offered);
  if (peer.negotiation.is_offer_open()) return told;
  write_offer(state, state.sessions.at(key.session), peer);
  told.generation = peer.negotiation.generation();
  told.offer = peer.offer;
  return told;
}

void take_outcomes(DeskState& state, const Moment& moment, const PeerKey& key,
                   std::span<const negotiation::Outcome> outcomes) {
  const std::set<signalling::LegNumber> legs = find_peer(state, key)->legs;
  for (const signalling::LegNumber number : legs) {
    const LegKey leg{key.session, number};
    LegRecord* record = state.find_leg(leg);
    if (record == nullptr) continue;
    if (const auto reason = LegOutcome(state, leg, *record, outcomes).take()) {
      end_leg(state, moment, leg, reason);
    }
  }
}

relay::WebRtcMedium webrtc_medium(const negotiation::AgreedMedium& agreed) {
  relay::WebRtcMedium medium;
  medium.mid = agreed.mid;
  medium.extensions = agreed.extensions;
  medium.feedback = agreed.feedback;
  medium.retransmission_payload_type = agreed.retransmission_payload_type;
  medium.event_payload_type = agreed.event_payload_type;
  medium.rids = agreed.rids;
  for (const negotiation::AnnouncedSource& source : agreed.ssrcs) {
    medium.ssrcs.push_back({source.ssrc, source.retransmission_ssrc});
  }
  return medium;
}

std::string stream_id(const std::string& stream, signalling::LegNumber leg) {
  return stream + "-" + std::to_string(leg);
}

}  // namespace runnel::session
