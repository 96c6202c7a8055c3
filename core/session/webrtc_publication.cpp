// A publication by webrtc, on its way into the tables: what of the client's offer is taken.
#include <algorithm>
#include <set>
#include <utility>

#include "core/negotiation/answer.h"
#include "core/negotiation/publication.h"
#include "core/session/peers.h"
#include "core/session/webrtc_leg.h"

namespace runnel::session {
namespace {

using signalling::ErrorCode;

negotiation::PublicationWishes wishes_of(const signalling::Publish& wish) {
  negotiation::PublicationWishes wishes;
  for (const signalling::TrackChoice& choice : wish.choices) {
    negotiation::TrackWish& track = wishes.tracks.emplace_back();
    track.name = choice.name;
    track.kind = choice.kind;
    track.mid = choice.mid.value_or("");
    if (choice.codec) track.codecs.push_back(choice.codec->name);
  }
  return wishes;
}

/// Where no name was wished, it is the kind.
Expected<void> name_tracks(std::vector<negotiation::PublishedTrack>& tracks) {
  std::set<std::string_view> names;
  for (negotiation::PublishedTrack& track : tracks) {
    if (track.name.empty()) track.name = rtp::to_string(track.medium.codec.kind);
    if (names.insert(track.name).second) continue;
    return refuse(ErrorCode::bad_request,
                  "tracks: two are called '" + track.name + "'; give each its 'name'");
  }
  return {};
}

void add_track(const negotiation::PublishedTrack& track, PlannedSource& plan) {
  const negotiation::AgreedMedium& agreed = track.medium;
  relay::SourceMedium& medium = plan.leg.media.emplace_back();
  medium.name = track.name;
  medium.codec = agreed.codec;
  medium.payload_type = agreed.payload_type;
  medium.webrtc = webrtc_medium(agreed);
  plan.told.tracks.push_back({.name = track.name,
                              .codec = agreed.codec,
                              .payload_type = agreed.payload_type,
                              .ssrc = agreed.ssrcs.size() == 1 ? agreed.ssrcs.front().ssrc : 0,
                              .rtcp_ssrc = std::nullopt,
                              .channel = std::nullopt});
  plan.webrtc->agreed.push_back(agreed);
}

Expected<PlannedSource> plan_answer(DeskState& state, const Moment& moment, PeerRecord& peer,
                                    const signalling::Publish& wish) {
  auto offer = peer.negotiation.read_offer(*std::get<signalling::WebRtcOffer>(wish.leg).offer);
  if (!offer) return std::unexpected(from_negotiation(offer.error()));
  auto tracks = negotiation::choose_publication(*offer, wishes_of(wish));
  if (!tracks) return std::unexpected(from_negotiation(tracks.error()));
  if (const auto named = name_tracks(*tracks); !named) return std::unexpected(named.error());
  if (const auto described = describe_peer(state, moment, peer, offer->transport,
                                           negotiation::setup_for(offer->transport));
      !described) {
    return std::unexpected(described.error());
  }
  PlannedSource plan;
  plan.told.role = signalling::LegRole::publication;
  plan.told.stream = wish.stream;
  plan.leg.peer = peer.id;
  plan.webrtc.emplace();
  plan.webrtc->offer = std::move(*offer);
  for (const negotiation::PublishedTrack& track : *tracks) add_track(track, plan);
  return plan;
}

}  // namespace

Expected<PlannedSource> plan_webrtc_source(DeskState& state, const Moment& moment,
                                           const signalling::Publish& wish) {
  auto peer = begin_peer(state, moment, wish.stream);
  if (!peer) return std::unexpected(peer.error());
  auto plan = plan_answer(state, moment, *peer, wish);
  if (!plan) {
    abandon_peer(state, *peer);
    return plan;
  }
  plan->webrtc->made = std::move(*peer);
  return plan;
}

}  // namespace runnel::session
