#include "core/relay/relay_builder.h"

#include <utility>

#include "core/base/check.h"
#include "core/relay/destination.h"
#include "core/relay/engine_state.h"
#include "core/relay/outgoing_identity.h"

namespace runnel::relay {
namespace {

/// SRTP contexts for what a receiver sends: one for each SSRC that it reports under.
constexpr std::size_t kReceiverSsrcs = 16;

std::span<const srtp::MasterKey> reply_keys(const SrtpSettings& srtp) {
  return srtp.reply_keys.empty() ? srtp.media_keys : srtp.reply_keys;
}

std::vector<srtp::MasterKey> clone(std::span<const srtp::MasterKey> keys) {
  std::vector<srtp::MasterKey> clones;
  clones.reserve(keys.size());
  for (const srtp::MasterKey& key : keys) clones.push_back(key.clone());
  return clones;
}

CanonicalName draw_cname(RandomSource& random) {
  constexpr std::string_view kAlphabet =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  CanonicalName name;
  std::array<std::uint8_t, name.size()> bytes;
  random.fill(bytes);
  for (std::size_t i = 0; i < name.size(); ++i) name[i] = kAlphabet[bytes[i] % kAlphabet.size()];
  return name;
}

void claim_source_ports(EngineState& state, const LocalPorts& ports, std::uint32_t relay) {
  state.ports.set(ports.rtp, {PortUse::Kind::source, relay});
  if (ports.rtcp) state.ports.set(*ports.rtcp, {PortUse::Kind::source, relay});
}

void claim_receiver_port(EngineState& state, PortIndex port, std::uint32_t leg) {
  if (state.ports.at(port).kind != PortUse::Kind::shared) {
    state.ports.set(port, {PortUse::Kind::receiver, leg});
  } else if (state.legs[leg].latches) {
    state.ports.set(port, {PortUse::Kind::shared, leg});
  }
}

void build_source(EngineState& state, Relay& relay, SourceLeg& from) {
  const auto relay_index = static_cast<std::uint32_t>(state.relays.size());
  const EngineLimits& limits = state.limits;
  relay.allow = std::move(from.allow);
  relay.reply_ssrc = state.ssrcs.draw(state.random);
  relay.first_track = static_cast<std::uint32_t>(state.tracks.size());
  relay.track_count = static_cast<std::uint32_t>(from.media.size());
  srtp::ReceiverOptions options{.max_ssrcs = limits.ssrcs_per_leg};
  if (from.srtp) {
    options.replay_window = from.srtp->replay_window;
    relay.keys = clone(from.srtp->media_keys);
    relay.rtcp_receiver.emplace(std::span<const srtp::MasterKey>(from.srtp->media_keys), options);
    relay.reply_sender.emplace(reply_keys(*from.srtp).front(), srtp::SenderOptions{.max_ssrcs = 1});
  }
  for (std::size_t i = 0; i < from.media.size(); ++i) {
    const SourceMedium& medium = from.media[i];
    SourceTrack& track = state.tracks.emplace_back(relay_index, static_cast<std::uint32_t>(i),
                                                   medium, limits.key_frame_interval);
    if (from.srtp) {
      options.initial_rollover_counter = medium.rollover_counter;
      track.srtp.emplace(std::span<const srtp::MasterKey>(from.srtp->media_keys), options);
      if (medium.ssrc) {
        for (const auto& key : from.srtp->media_keys)
          state.pinned.emplace(*medium.ssrc, key.clone());
      }
    }
    claim_source_ports(state, medium.ports, relay_index);
  }
}

void build_receiver_track(EngineState& state, const Relay& relay, const ReceiverMedium& medium,
                          ReceiverMediumId id) {
  const auto leg_index = static_cast<std::uint32_t>(state.legs.size() - 1);
  const ReceiverLegState& leg = state.legs.back();
  const auto index = static_cast<std::uint32_t>(state.receivers.size());
  ReceiverTrack& receiver = state.receivers.emplace_back();
  receiver.id = id;
  receiver.leg = leg_index;
  receiver.source = relay.first_track + static_cast<std::uint32_t>(medium.source);
  receiver.payload_type = medium.payload_type;
  receiver.ports = medium.ports;
  receiver.pinned_ssrc = medium.ssrc.has_value();
  if (medium.ssrc) {
    state.ssrcs.add_pinned(*medium.ssrc);
    if (leg.key) state.pinned.emplace(*medium.ssrc, leg.key->clone());
  }
  receiver.ssrc = medium.ssrc ? *medium.ssrc : state.ssrcs.draw(state.random);
  if (leg.key) receiver.sender.emplace(make_sender(*leg.key));
  state.tracks[receiver.source].receivers.push_back(index);

  claim_receiver_port(state, medium.ports.rtp, leg_index);
  if (medium.ports.rtcp) claim_receiver_port(state, *medium.ports.rtcp, leg_index);
  if (!medium.rtp_destination) return;
  // `check_relay` has found the paths free.
  RUNNEL_CHECK(place_receiver(state, receiver, *medium.rtp_destination, *rtcp_destination(medium)));
}

void build_receiver_leg(EngineState& state, const Relay& relay, ReceiverLeg& described,
                        std::size_t number) {
  const std::size_t relay_index = state.relays.size();
  ReceiverLegState& leg = state.legs.emplace_back();
  leg.relay = static_cast<std::uint32_t>(relay_index);
  leg.allow = std::move(described.allow);
  leg.latches = described.latch == Latch::first;
  leg.first_receiver = static_cast<std::uint32_t>(state.receivers.size());
  leg.receiver_count = static_cast<std::uint32_t>(described.media.size());
  if (described.srtp) {
    leg.key.emplace(described.srtp->media_keys.front().clone());
    leg.reply_keys = clone(reply_keys(*described.srtp));
    leg.reply_receiver.emplace(std::span<const srtp::MasterKey>(leg.reply_keys),
                               srtp::ReceiverOptions{.replay_window = described.srtp->replay_window,
                                                     .max_ssrcs = kReceiverSsrcs});
  }
  for (std::size_t i = 0; i < described.media.size(); ++i) {
    build_receiver_track(state, relay, described.media[i], {relay_index, number, i});
  }
}

void reserve_packet_path(EngineState& state) {
  const std::size_t tracks = state.tracks.size();
  state.burst.resize_tracks(tracks);
  state.control.resize(tracks);
  state.deadlines.resize(tracks);
}

}  // namespace

std::size_t build_relay(EngineState& state, RelayDescription&& described) {
  std::size_t media = 0;
  for (const ReceiverLeg& leg : described.to) media += leg.media.size();
  state.ssrcs.reserve(state.tracks.size() + state.receivers.size() + media + 1);
  state.paths.reserve(2 * (state.receivers.size() + media));

  Relay relay;
  relay.stream = std::move(described.stream);
  relay.cname = draw_cname(state.random);
  relay.first_leg = static_cast<std::uint32_t>(state.legs.size());
  relay.leg_count = static_cast<std::uint32_t>(described.to.size());
  build_source(state, relay, described.from);
  for (std::size_t i = 0; i < described.to.size(); ++i) {
    build_receiver_leg(state, relay, described.to[i], i);
  }
  state.relays.push_back(std::move(relay));
  reserve_packet_path(state);
  return state.relays.size() - 1;
}

}  // namespace runnel::relay
