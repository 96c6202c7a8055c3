#include "core/session/source_leg.h"

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

Expected<void> check_tracks(const signalling::Publish& wish) {
  std::set<std::string_view> names;
  std::set<std::uint8_t> payload_types;
  for (const signalling::PublishedTrack& track : wish.tracks) {
    if (!names.insert(track.name).second) {
      return refuse(ErrorCode::bad_request, "tracks: two are called '" + track.name + "'");
    }
    if (!payload_types.insert(track.payload_type).second) {
      return refuse(ErrorCode::bad_request,
                    "tracks: two have the payload type " + std::to_string(track.payload_type));
    }
  }
  return {};
}

/// Fills in what all kinds of legs have in common.
PlannedSource begin_plan(const signalling::Publish& wish) {
  PlannedSource plan;
  plan.told.role = signalling::LegRole::publication;
  plan.told.stream = wish.stream;
  for (const signalling::PublishedTrack& track : wish.tracks) {
    relay::SourceMedium& medium = plan.leg.media.emplace_back();
    medium.name = track.name;
    medium.codec = track.codec;
    medium.payload_type = track.payload_type;
    plan.told.tracks.push_back({.name = track.name,
                                .codec = track.codec,
                                .payload_type = track.payload_type,
                                .ssrc = 0,
                                .rtcp_ssrc = std::nullopt,
                                .channel = std::nullopt});
  }
  return plan;
}

void identify_media(DeskState& state, const signalling::Publish& wish, const MediaPort& port,
                    PlannedSource& plan) {
  for (std::size_t i = 0; i < wish.tracks.size(); ++i) {
    const signalling::PublishedTrack& track = wish.tracks[i];
    relay::SourceMedium& medium = plan.leg.media[i];
    medium.ports = {port.index, std::nullopt};
    medium.remote = track.from;
    medium.ssrc = track.ssrc;
    if (!track.ssrc && !track.from) {
      medium.ssrc = state.engine.draw_ssrc();
      plan.drawn.push_back(*medium.ssrc);
    }
    plan.told.tracks[i].ssrc = medium.ssrc.value_or(0);
  }
}

Expected<const MediaPort*> choose_port(const DeskState& state, const IpAddress& client,
                                       const signalling::Publish& wish) {
  const auto& first = wish.tracks.front();
  const IpAddress& peer = first.from ? first.from->ip : client;
  for (const signalling::PublishedTrack& track : wish.tracks) {
    if (track.from && track.from->ip.is_v4() != peer.is_v4()) {
      return refuse(ErrorCode::bad_request, "tracks: all of a leg come by IPv4, or all by IPv6");
    }
  }
  if (const MediaPort* port = port_towards(state.settings, peer)) return port;
  if (!first.from && !state.settings.media_ports.empty()) {
    return &state.settings.media_ports.front();
  }
  return refuse(ErrorCode::unsupported_leg,
                "this server has no UDP port for media that could be reached from there");
}

/// Whoever names an address of others would take the place of their packets.
Expected<void> check_from(const IpAddress& client, std::span<const IpNetwork> networks,
                          const signalling::Publish& wish) {
  for (const signalling::PublishedTrack& track : wish.tracks) {
    if (!track.from || track.from->ip == client) continue;
    const auto holds = [&](const IpNetwork& network) { return network.contains(track.from->ip); };
    if (std::ranges::any_of(networks, holds)) continue;
    return refuse(ErrorCode::address_not_allowed,
                  "media from " + track.from->ip.to_string() +
                      " is not taken on your word (signalling.srtp_networks)");
  }
  return {};
}

Expected<PlannedSource> plan_udp(DeskState& state, const IpAddress& client,
                                 const signalling::Publish& wish) {
  const auto port = choose_port(state, client, wish);
  if (!port) return std::unexpected(port.error());
  PlannedSource plan = begin_plan(wish);
  signalling::LegTransport transport;
  transport.addresses = addresses_of(state.settings, **port, client);
  transport.port = (*port)->address.port;
  if (const auto* offer = std::get_if<signalling::SrtpOffer>(&wish.leg)) {
    auto keys = choose_keys(*offer, state.settings.replay_window, state.random);
    if (!keys) return std::unexpected(keys.error());
    transport.suite = keys->srtp.profile;
    transport.key = std::move(keys->key);
    transport.reply_key = std::move(keys->reply_key);
    plan.leg.srtp = std::move(keys->srtp);
  }
  plan.told.transport = std::move(transport);
  identify_media(state, wish, **port, plan);
  return plan;
}

Expected<PlannedSource> plan_rtp(DeskState& state, const IpAddress& client,
                                 const signalling::Publish& wish) {
  const auto& allowed = state.settings.rtp_networks;
  if (allowed.empty()) {
    return refuse(ErrorCode::address_not_allowed,
                  "unencrypted RTP is taken from no network here (signalling.rtp_networks); "
                  "use srtp or websocket");
  }
  for (const signalling::PublishedTrack& track : wish.tracks) {
    if (track.from && std::ranges::none_of(allowed, [&](const IpNetwork& network) {
          return network.contains(track.from->ip);
        })) {
      return refuse(ErrorCode::address_not_allowed,
                    "unencrypted RTP is not taken from " + track.from->ip.to_string());
    }
  }
  auto plan = plan_udp(state, client, wish);
  if (plan) plan->leg.allow = allowed;
  return plan;
}

Expected<PlannedSource> plan_websocket(const signalling::Publish& wish,
                                       const signalling::WebSocketOffer& offer) {
  if (offer.format == signalling::MediaFormat::frame) {
    for (const signalling::PublishedTrack& track : wish.tracks) {
      if (frames::supports(track.codec)) continue;
      return refuse(ErrorCode::unsupported_codec, "track " + track.name + ": whole frames of " +
                                                      track.codec.name +
                                                      " cannot be packetized; use format rtp");
    }
  }
  PlannedSource plan = begin_plan(wish);
  plan.told.format = offer.format;
  for (std::size_t i = 0; i < wish.tracks.size(); ++i) {
    plan.leg.media[i].ssrc = wish.tracks[i].ssrc;
    plan.told.tracks[i].ssrc = wish.tracks[i].ssrc.value_or(0);
  }
  return plan;
}

}  // namespace

Expected<PlannedSource> plan_source(DeskState& state, const Moment& moment, const IpAddress& client,
                                    const signalling::Publish& wish) {
  if (std::holds_alternative<signalling::WebRtcOffer>(wish.leg)) {
    return plan_webrtc_source(state, moment, wish);
  }
  if (wish.tracks.empty()) return refuse(ErrorCode::bad_request, "tracks: none is given");
  if (const auto sound = check_tracks(wish); !sound) return std::unexpected(sound.error());
  if (const auto* offer = std::get_if<signalling::WebSocketOffer>(&wish.leg)) {
    return plan_websocket(wish, *offer);
  }
  if (std::holds_alternative<signalling::RtpOffer>(wish.leg)) return plan_rtp(state, client, wish);
  if (const auto from = check_from(client, state.settings.srtp_networks, wish); !from) {
    return std::unexpected(from.error());
  }
  return plan_udp(state, client, wish);
}

void discard(DeskState& state, const PlannedSource& plan) {
  for (const std::uint32_t ssrc : plan.drawn) state.engine.release_ssrc(ssrc);
  if (plan.webrtc) abandon_peer(state, *plan.webrtc->made);
}

}  // namespace runnel::session
