#include "core/session/receiver_leg.h"

#include <algorithm>
#include <set>

#include "core/frames/format.h"
#include "core/session/media_ports.h"
#include "core/session/peers.h"
#include "core/session/srtp_keys.h"
#include "core/session/webrtc_leg.h"

namespace runnel::session {
namespace {

using signalling::ErrorCode;

/// Media may be sent to the client itself, and to networks that the operator names; else anybody
/// could aim streams at third parties.
Expected<void> check_address(const DeskState& state, const IpAddress& client,
                             const SocketAddress& to, bool is_clear) {
  const auto& networks = is_clear ? state.settings.rtp_networks : state.settings.srtp_networks;
  const bool is_listed = std::ranges::any_of(
      networks, [&](const IpNetwork& network) { return network.contains(to.ip); });
  if (to.port == 0 || to.ip.is_unspecified()) {
    return refuse(ErrorCode::bad_request, "to: " + to.to_string() + " is no place to send to");
  }
  if (is_listed || (!is_clear && to.ip == client)) return {};
  return refuse(ErrorCode::address_not_allowed,
                is_clear ? "unencrypted RTP is not sent to " + to.ip.to_string() +
                               " (signalling.rtp_networks)"
                         : "media is sent to the address that asks for it, and not to " +
                               to.ip.to_string() + " (signalling.srtp_networks)");
}

struct Destinations {
  SocketAddress rtp;
  SocketAddress rtcp;
};

Expected<Destinations> destinations_of(const DeskState& state, const IpAddress& client,
                                       const signalling::Subscribe& wish,
                                       const signalling::SubscribedTrack& track, bool is_clear) {
  const auto rtp = track.to ? track.to : wish.to;
  if (!rtp) {
    return refuse(ErrorCode::bad_request,
                  "to: where to send track '" + track.name + "' to, or latch, is missing");
  }
  const SocketAddress rtcp = track.rtcp_to.value_or(*rtp);
  for (const SocketAddress& address : {*rtp, rtcp}) {
    if (auto verdict = check_address(state, client, address, is_clear); !verdict) {
      return std::unexpected(verdict.error());
    }
  }
  return Destinations{*rtp, rtcp};
}

Expected<const MediaPort*> place_media(const DeskState& state, const IpAddress& client,
                                       const signalling::Subscribe& wish,
                                       const std::vector<signalling::SubscribedTrack>& tracks,
                                       PlannedReceiver& plan) {
  const bool is_clear = !plan.leg.srtp;
  const MediaPort* port = nullptr;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const auto to = destinations_of(state, client, wish, tracks[i], is_clear);
    if (!to) return std::unexpected(to.error());
    const MediaPort* suitable = port_towards(state.settings, to->rtp.ip);
    if (suitable == nullptr || to->rtp.ip.is_v4() != to->rtcp.ip.is_v4() ||
        (port != nullptr && port != suitable)) {
      return refuse(
          ErrorCode::unsupported_leg,
          "this server has no single UDP port from which it could send to " + to->rtp.to_string());
    }
    port = suitable;
    plan.leg.media[i].rtp_destination = to->rtp;
    plan.leg.media[i].rtcp_destination = to->rtcp;
  }
  return port;
}

Expected<const MediaPort*> place_latching(DeskState& state, const IpAddress& client,
                                          PlannedReceiver& plan) {
  if (!plan.leg.srtp) {
    return refuse(ErrorCode::bad_request,
                  "latch: only where packets are authenticated, which those of rtp are not");
  }
  const MediaPort* port = port_towards(state.settings, client);
  if (port == nullptr) {
    return refuse(ErrorCode::unsupported_leg, "this server has no UDP port of your address family");
  }
  plan.leg.latch = relay::Latch::first;
  for (std::size_t i = 0; i < plan.leg.media.size(); ++i) {
    const std::uint32_t ssrc = state.random.u32();
    plan.leg.media[i].reply_ssrc = ssrc;
    plan.told.tracks[i].rtcp_ssrc = ssrc;
  }
  return port;
}

Expected<void> plan_udp(DeskState& state, const IpAddress& client,
                        const signalling::Subscribe& wish,
                        const std::vector<signalling::SubscribedTrack>& tracks,
                        PlannedReceiver& plan) {
  signalling::LegTransport transport;
  if (const auto* offer = std::get_if<signalling::SrtpOffer>(&wish.leg)) {
    auto keys = choose_keys(*offer, state.settings.replay_window, state.random);
    if (!keys) return std::unexpected(keys.error());
    transport.suite = keys->srtp.profile;
    transport.key = std::move(keys->key);
    transport.reply_key = std::move(keys->reply_key);
    plan.leg.srtp = std::move(keys->srtp);
  }
  const auto port = wish.latch ? place_latching(state, client, plan)
                               : place_media(state, client, wish, tracks, plan);
  if (!port) return std::unexpected(port.error());
  for (relay::ReceiverMedium& medium : plan.leg.media) {
    medium.ports = {(*port)->index, std::nullopt};
  }
  transport.addresses = addresses_of(state.settings, **port, client);
  transport.port = (*port)->address.port;
  plan.told.transport = std::move(transport);
  return {};
}

Expected<void> plan_websocket(const signalling::WebSocketOffer& offer, PlannedReceiver& plan) {
  plan.told.format = offer.format;
  if (offer.format == signalling::MediaFormat::rtp) return {};
  for (const signalling::LegTrack& track : plan.told.tracks) {
    if (frames::supports(track.codec)) continue;
    return refuse(ErrorCode::unsupported_codec, "track " + track.name + ": frames of " +
                                                    track.codec.name +
                                                    " cannot be put together; use format rtp");
  }
  return {};
}

}  // namespace

std::vector<signalling::SubscribedTrack> choose_tracks(const StreamRecord& stream,
                                                       const signalling::Subscribe& wish) {
  if (!wish.tracks.empty()) return wish.tracks;
  std::vector<signalling::SubscribedTrack> all;
  for (const StreamTrack& track : stream.tracks) {
    all.push_back({.name = track.name,
                   .payload_type = std::nullopt,
                   .to = std::nullopt,
                   .rtcp_to = std::nullopt});
  }
  return all;
}

Expected<void> add_tracks(const StreamRecord& stream,
                          const std::vector<signalling::SubscribedTrack>& wished,
                          PlannedReceiver& plan) {
  std::set<std::string_view> names;
  for (const signalling::SubscribedTrack& wish : wished) {
    const auto track = std::ranges::find(stream.tracks, wish.name, &StreamTrack::name);
    if (track == stream.tracks.end()) {
      return refuse(ErrorCode::unknown_track, "the stream has no track '" + wish.name + "'");
    }
    if (!names.insert(wish.name).second) {
      return refuse(ErrorCode::bad_request, "tracks: '" + wish.name + "' is there twice");
    }
    relay::ReceiverMedium& medium = plan.leg.media.emplace_back();
    medium.source = static_cast<std::size_t>(track - stream.tracks.begin());
    medium.payload_type = wish.payload_type.value_or(track->payload_type);
    plan.told.tracks.push_back({.name = track->name,
                                .codec = track->codec,
                                .payload_type = medium.payload_type,
                                .ssrc = 0,
                                .rtcp_ssrc = std::nullopt,
                                .channel = std::nullopt});
  }
  return {};
}

Expected<PlannedReceiver> plan_receiver(DeskState& state, const Moment& moment,
                                        SessionNumber session, const StreamRecord& stream,
                                        const signalling::Subscribe& wish) {
  const std::vector<signalling::SubscribedTrack> tracks = choose_tracks(stream, wish);
  PlannedReceiver plan;
  plan.told.role = signalling::LegRole::subscription;
  plan.told.stream = wish.stream;
  plan.told.paused = wish.paused;
  if (const auto added = add_tracks(stream, tracks, plan); !added) {
    return std::unexpected(added.error());
  }
  for (relay::ReceiverMedium& medium : plan.leg.media) medium.layers = wish.layers;
  const IpAddress& client = state.sessions.at(session).address;
  Expected<void> planned;
  if (const auto* webrtc = std::get_if<signalling::WebRtcOffer>(&wish.leg)) {
    planned = plan_webrtc_receiver(state, moment, session, *webrtc, plan);
  } else if (const auto* websocket = std::get_if<signalling::WebSocketOffer>(&wish.leg)) {
    planned = plan_websocket(*websocket, plan);
  } else {
    planned = plan_udp(state, client, wish, tracks, plan);
  }
  if (!planned) return std::unexpected(planned.error());
  return plan;
}

void discard(DeskState& state, const PlannedReceiver& plan) {
  if (plan.webrtc && plan.webrtc->made) abandon_peer(state, *plan.webrtc->made);
}

}  // namespace runnel::session
