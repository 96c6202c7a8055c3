// A subscription by webrtc, on its way into the tables: what the client takes, or is to be offered.

#include <algorithm>
#include <utility>

#include "core/negotiation/answer.h"
#include "core/negotiation/subscription.h"
#include "core/session/peers.h"
#include "core/session/webrtc_leg.h"

namespace runnel::session {
namespace {

using signalling::ErrorCode;

std::vector<negotiation::Track> tracks_of(const PlannedReceiver& plan) {
  std::vector<negotiation::Track> tracks;
  for (const signalling::LegTrack& track : plan.told.tracks) {
    tracks.push_back({.name = track.name, .codec = track.codec});
  }
  return tracks;
}

/// Of the plan's tracks only these, in this order.
void keep_tracks(PlannedReceiver& plan, const std::vector<std::size_t>& kept) {
  std::vector<relay::ReceiverMedium> media;
  std::vector<signalling::LegTrack> tracks;
  for (const std::size_t i : kept) {
    media.push_back(std::move(plan.leg.media[i]));
    tracks.push_back(std::move(plan.told.tracks[i]));
  }
  plan.leg.media = std::move(media);
  plan.told.tracks = std::move(tracks);
}

Expected<WebRtcPlan> plan_answer(DeskState& state, const Moment& moment, PeerRecord& peer,
                                 const std::string& text, PlannedReceiver& plan) {
  auto offer = peer.negotiation.read_offer(text);
  if (!offer) return std::unexpected(from_negotiation(offer.error()));
  const auto chosen = negotiation::choose_subscription(*offer, tracks_of(plan));
  if (!chosen) return std::unexpected(from_negotiation(chosen.error()));
  if (const auto described = describe_peer(state, moment, peer, offer->transport,
                                           negotiation::setup_for(offer->transport));
      !described) {
    return std::unexpected(described.error());
  }
  WebRtcPlan webrtc;
  std::vector<std::size_t> kept;
  for (const negotiation::SubscribedTrack& track : chosen->tracks) kept.push_back(track.track);
  keep_tracks(plan, kept);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const negotiation::AgreedMedium& agreed = chosen->tracks[i].medium;
    plan.leg.media[i].payload_type = agreed.payload_type;
    plan.leg.media[i].webrtc = webrtc_medium(agreed);
    plan.told.tracks[i].payload_type = agreed.payload_type;
    webrtc.agreed.push_back(agreed);
  }
  plan.leg.peer = peer.id;
  webrtc.offer = std::move(*offer);
  return webrtc;
}

/// One track, in the next offer on the peer connection.
std::expected<OfferedMedium, negotiation::Error> offer_track(DeskState& state, PeerRecord& peer,
                                                             const negotiation::Track& track,
                                                             const relay::ReceiverMedium& medium,
                                                             const std::string& leg_id,
                                                             std::string_view cname) {
  OfferedMedium offered{.mid = {},
                        .source = medium.source,
                        .ssrc = state.engine.draw_ssrc(),
                        .layers = medium.layers};
  if (track.codec.kind == rtp::MediaKind::video) {
    offered.retransmission_ssrc = state.engine.draw_ssrc();
  }
  auto mid = peer.negotiation.add(track, {.ssrc = offered.ssrc,
                                          .retransmission_ssrc = offered.retransmission_ssrc,
                                          .canonical_name = std::string(cname),
                                          .stream_id = leg_id,
                                          .track_id = track.name});
  if (!mid) {
    release_ssrcs(state, offered);
    return std::unexpected(std::move(mid.error()));
  }
  offered.mid = std::move(*mid);
  return offered;
}

Expected<WebRtcPlan> plan_offer(DeskState& state, SessionNumber session, PeerRecord& peer,
                                PlannedReceiver& plan) {
  const std::string id = stream_id(plan.told.stream, state.sessions.at(session).next_leg);
  const auto cname = state.engine.canonical_name(state.find_stream(plan.told.stream)->relay);
  const std::vector<negotiation::Track> tracks = tracks_of(plan);
  std::optional<negotiation::Error> refusal;
  WebRtcPlan webrtc;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    auto offered = offer_track(state, peer, tracks[i], plan.leg.media[i], id, cname);
    if (!offered) {
      if (!refusal) refusal = std::move(offered.error());
      continue;
    }
    kept.push_back(i);
    plan.told.tracks[i].ssrc = offered->ssrc;
    webrtc.offered.push_back(std::move(*offered));
  }
  if (kept.empty() && refusal->kind == negotiation::ErrorKind::no_media) {
    return refuse(ErrorCode::limit_reached, refusal->message);
  }
  if (kept.empty()) return std::unexpected(from_negotiation(*refusal));
  keep_tracks(plan, kept);
  return webrtc;
}

Expected<WebRtcPlan> plan_new(DeskState& state, const Moment& moment, SessionNumber session,
                              const std::optional<std::string>& offer, PlannedReceiver& plan) {
  auto peer = begin_peer(state, moment, plan.told.stream);
  if (!peer) return std::unexpected(peer.error());
  auto webrtc = offer ? plan_answer(state, moment, *peer, *offer, plan)
                      : plan_offer(state, session, *peer, plan);
  if (!webrtc) {
    abandon_peer(state, *peer);
    return webrtc;
  }
  webrtc->made = std::move(*peer);
  return webrtc;
}

Expected<WebRtcPlan> plan_joined(DeskState& state, SessionNumber session,
                                 signalling::PeerNumber number, PlannedReceiver& plan) {
  const auto peer = find_own_peer(state.sessions.at(session), number);
  if (!peer) return std::unexpected(peer.error());
  auto webrtc = plan_offer(state, session, **peer, plan);
  if (webrtc) webrtc->joined = number;
  return webrtc;
}

}  // namespace

Expected<void> plan_webrtc_receiver(DeskState& state, const Moment& moment, SessionNumber session,
                                    const signalling::WebRtcOffer& offer, PlannedReceiver& plan) {
  auto webrtc = offer.peer ? plan_joined(state, session, *offer.peer, plan)
                           : plan_new(state, moment, session, offer.offer, plan);
  if (!webrtc) return std::unexpected(webrtc.error());
  plan.webrtc = std::move(*webrtc);
  return {};
}

}  // namespace runnel::session
