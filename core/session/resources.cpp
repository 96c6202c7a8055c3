#include "core/session/resources.h"

#include <algorithm>
#include <string>
#include <utility>

#include "core/negotiation/trickle_fragment.h"
#include "core/session/admission.h"
#include "core/session/lifecycle.h"
#include "core/session/peers.h"
#include "core/session/requests.h"
#include "core/signalling/name.h"

namespace runnel::session {
namespace {

using signalling::ErrorCode;

/// Of the ICE session, which ours of the credentials stand for: there is no guessing what was there
/// before, and no two resources have the same.
std::string entity_tag(const DeskState& state, const PeerRecord& peer) {
  return '"' + state.settings.webrtc.transports->local_credentials(peer.id).ufrag + '"';
}

/// Its only peer connection; every resource has one as long as it has its leg.
PeerRecord& peer_of(DeskState& state, const LegKey& resource) {
  return state.sessions.at(resource.session).peers.begin()->second;
}
PeerKey peer_key(const DeskState& state, const LegKey& resource) {
  return {resource.session, state.sessions.at(resource.session).peers.begin()->first};
}

/// A session whose only request is `ask`.
template <typename Ask>
Expected<NewResource> create(DeskState& state, const Moment& moment, const Client& client,
                             Ask ask) {
  if (state.shutting_down) return refuse(ErrorCode::shutting_down, "the server is shutting down");
  auto identity = identify_caller(state, moment, client.address, client.token);
  if (!identity) return std::unexpected(identity.error());
  const auto session = open_session(state, moment, std::move(*identity), client.address, {});
  if (!session) return std::unexpected(session.error());
  const std::optional<Result> result = ask(Call{moment, *session, std::nullopt});
  if (!*result) {
    end_session(state, moment, *session);
    return std::unexpected(result->error());
  }
  const auto& leg = std::get<signalling::Leg>(**result);
  SessionRecord& record = state.sessions.at(*session);
  record.resource = draw_session_id(state.random);
  state.resources.emplace(record.resource, *session);
  return NewResource{.id = record.resource,
                     .entity_tag = entity_tag(state, peer_of(state, {*session, leg.leg})),
                     .sdp = leg.webrtc->offer.empty() ? leg.webrtc->answer : leg.webrtc->offer};
}

/// A path may hold anything.
Expected<void> check_name(const std::string& stream) {
  if (signalling::is_name(stream)) return {};
  return refuse(ErrorCode::bad_request,
                "this is no name for a stream; " + std::string(signalling::kNameRule));
}

}  // namespace

Expected<NewResource> create_resource(DeskState& state, const Moment& moment, const Client& client,
                                      PublishByOffer&& wish) {
  if (const auto named = check_name(wish.stream); !named) return std::unexpected(named.error());
  signalling::Publish publish;
  publish.stream = std::move(wish.stream);
  publish.take_over = wish.take_over;
  publish.leg = signalling::WebRtcOffer{.offer = std::move(wish.offer), .peer = std::nullopt};
  return create(state, moment, client, [&](const Call& call) -> std::optional<Result> {
    return handle(state, call, publish);
  });
}

Expected<NewResource> create_resource(DeskState& state, const Moment& moment, const Client& client,
                                      SubscribeByOffer&& wish) {
  if (const auto named = check_name(wish.stream); !named) return std::unexpected(named.error());
  signalling::Subscribe subscribe;
  subscribe.stream = std::move(wish.stream);
  subscribe.layers = wish.layers;
  signalling::WebRtcOffer offer;
  if (!wish.offer.empty()) offer.offer = std::move(wish.offer);
  subscribe.leg = std::move(offer);
  return create(state, moment, client,
                [&](const Call& call) { return handle(state, call, std::move(subscribe)); });
}

Expected<LegKey> find_resource(DeskState& state, const Moment& moment, const Client& client,
                               const ResourceName& resource) {
  auto identity = identify_caller(state, moment, client.address, client.token);
  if (!identity) return std::unexpected(identity.error());
  const auto found = state.resources.find(std::string(resource.id));
  const SessionRecord* session =
      found == state.resources.end() ? nullptr : &state.sessions.at(found->second);
  if (session == nullptr || session->legs.empty()) {
    return refuse(ErrorCode::unknown_session, "there is no such resource, or it has ended");
  }
  const auto& [number, leg] = *session->legs.begin();
  if (leg.stream != resource.stream || leg.role != resource.role) {
    return refuse(ErrorCode::unknown_session, "there is no such resource, or it has ended");
  }
  if (session->identity.key == identity->key) {
    renew_identity(state, moment, found->second, std::move(*identity));
  } else if (!identity->permissions.allows(auth::Action::admin, leg.stream)) {
    return refuse(ErrorCode::forbidden, "this resource was made with another token");
  }
  return LegKey{found->second, number};
}

Expected<ResourceStatus> status_of(DeskState& state, const LegKey& resource) {
  const PeerRecord& peer = peer_of(state, resource);
  ResourceStatus status;
  status.entity_tag = entity_tag(state, peer);
  status.awaits_answer = peer.negotiation.is_offer_open();
  if (peer.described) {
    status.peer_ufrag = peer.described->ufrag;
    status.peer_password = peer.described->password;
  }
  return status;
}

Expected<void> answer_resource(DeskState& state, const Moment& moment, const LegKey& resource,
                               std::string_view sdp) {
  if (!peer_of(state, resource).negotiation.is_offer_open()) {
    return refuse(ErrorCode::stale_answer, "no offer waits for an answer");
  }
  return take_answer(state, moment, peer_key(state, resource), sdp);
}

Expected<RestartedResource> restart_resource(DeskState& state, const Moment& moment,
                                             const LegKey& resource, std::string_view ufrag,
                                             std::string_view password) {
  PeerRecord& peer = peer_of(state, resource);
  const std::vector<negotiation::LocalMedium> media = peer.negotiation.media();
  if (!peer.described || media.empty()) {
    return refuse(ErrorCode::stale_answer, "the offer is to be answered first");
  }
  negotiation::PeerTransport remote = *peer.described;
  remote.ufrag = ufrag;
  remote.password = password;
  if (const auto described = restart_peer(state, moment, peer, remote); !described) {
    return std::unexpected(described.error());
  }
  peer.negotiation.set_peer_credentials(remote.ufrag, remote.password);
  const IpAddress& address = state.sessions.at(resource.session).address;
  const negotiation::AgreedMedium& first = media.front().agreed;
  return RestartedResource{
      .entity_tag = entity_tag(state, peer),
      .fragment = negotiation::write_trickle_fragment(local_transport(state, peer, address),
                                                      rtp::to_string(first.codec.kind), first.mid)};
}

std::vector<ResourceLayers> layers_of(DeskState& state, const SessionRecord& resource) {
  std::vector<ResourceLayers> layers;
  if (resource.legs.empty() || resource.peers.empty()) return layers;
  const LegRecord& leg = resource.legs.begin()->second;
  const StreamRecord* stream = state.find_stream(leg.stream);
  if (stream == nullptr) return layers;
  for (const negotiation::LocalMedium& line : resource.peers.begin()->second.negotiation.media()) {
    const auto track = std::ranges::find(leg.tracks, line.agreed.mid, &LegTrack::mid);
    if (track == leg.tracks.end() || line.agreed.codec.kind != rtp::MediaKind::video) continue;
    const auto source = std::ranges::find(stream->tracks, track->told.name, &StreamTrack::name);
    if (source == stream->tracks.end()) continue;
    const auto medium = static_cast<std::size_t>(source - stream->tracks.begin());
    ResourceLayers& found = layers.emplace_back();
    found.section = line.agreed.section;
    found.encodings = state.engine.encodings(stream->relay, medium);
    std::erase_if(found.encodings, [](const auto& encoding) { return encoding.rid.empty(); });
  }
  return layers;
}

}  // namespace runnel::session
