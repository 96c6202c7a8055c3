#include "core/relay/source_leg.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/relay/key_clones.h"
#include "core/relay/source_places.h"
#include "core/relay/source_reports.h"

namespace runnel::relay {
namespace {

using Holder = SsrcDirectory::Holder;

bool is_shared(const EngineState& state, PortIndex port) noexcept {
  return state.ports.at(port).kind == PortUse::Kind::shared;
}

void claim_places(EngineState& state, const SourceTrack& track) {
  for (const SourcePlace& place : places_of(track)) {
    if (!is_shared(state, place.port)) {
      state.ports.set(place.port, {PortUse::Kind::source, track.relay});
    } else if (place.remote) {
      // Claims has found it free.
      static_cast<void>(state.source_paths.add({place.port, *place.remote}, track.relay));
    } else {
      state.known_ssrcs.add(place.port, *track.pinned_ssrc, {Holder::Kind::source, track.index});
    }
  }
}

void release_places(EngineState& state, const SourceTrack& track) {
  for (const SourcePlace& place : places_of(track)) {
    if (!is_shared(state, place.port)) {
      state.ports.set(place.port, {});
    } else if (place.remote) {
      state.source_paths.remove({place.port, *place.remote});
    } else {
      state.known_ssrcs.remove(place.port, *track.pinned_ssrc);
    }
  }
}

void attach(EngineState& state, SourceTrack& track, const SourceLeg& from) {
  const SourceMedium& medium = from.media[track.medium];
  track.payload_type = medium.payload_type;
  track.ports = medium.ports;
  track.channel = from.channel;
  track.pinned_ssrc = medium.ssrc;
  if (from.channel) return;
  track.remote = medium.remote;
  track.rtcp_remote = medium.rtcp_remote;
  claim_places(state, track);
  if (!from.srtp) return;
  const std::span<const srtp::MasterKey> keys(from.srtp->media_keys);
  track.srtp.emplace(keys, srtp::ReceiverOptions{
                               .replay_window = from.srtp->replay_window,
                               .max_ssrcs = state.limits.ssrcs_per_leg,
                               .initial_rollover_counter = medium.rollover_counter,
                           });
  if (!medium.ssrc) return;
  for (const srtp::MasterKey& key : keys) state.pinned.emplace(*medium.ssrc, key.clone());
}

void say_goodbye(EngineState& state, SourceTrack& track) {
  if (!track.is_flowing()) return;
  std::array<std::uint8_t, kPacketCapacity> buffer;
  rtp::RtcpWriter writer(buffer);
  ControlQueue::Tasks tasks;
  tasks.add(ControlTask::goodbye_to_source);
  if (!write_to_source(state, track, tasks, writer)) return;
  auto& sender = state.relays[track.relay].from->reply_sender;
  state.farewells.add({.owner = DatagramOwner::source(track.index),
                       .port = track.reply_port(),
                       .destination = track.reply_address().value_or(SocketAddress{}),
                       .channel = track.channel,
                       .medium = static_cast<std::uint8_t>(track.medium)},
                      sender ? &*sender : nullptr, buffer, writer.written().size());
}

void release(EngineState& state, SourceTrack& track, std::span<const srtp::MasterKey> keys) {
  if (!track.channel) release_places(state, track);
  if (track.pinned_ssrc) {
    for (const srtp::MasterKey& key : keys) state.unpin(*track.pinned_ssrc, key);
    state.ssrcs.release(*track.pinned_ssrc);
  }
  track.forget_source(state.limits.key_frame_interval);
}

}  // namespace

void attach_source(EngineState& state, std::uint32_t relay_index, SourceLeg&& from) {
  Relay& relay = state.relays[relay_index];
  SourceLegState& leg = relay.from.emplace();
  leg.reply_ssrc = state.ssrcs.draw(state.random);
  leg.channel = from.channel;
  leg.allow = std::move(from.allow);
  if (from.srtp && !from.channel) {
    const std::span<const srtp::MasterKey> keys(from.srtp->media_keys);
    leg.keys = clones_of(keys);
    leg.rtcp_receiver.emplace(keys, srtp::ReceiverOptions{
                                        .replay_window = from.srtp->replay_window,
                                        .max_ssrcs = state.limits.ssrcs_per_leg,
                                    });
    leg.reply_sender.emplace(reply_keys(*from.srtp).front(), srtp::SenderOptions{.max_ssrcs = 1});
  }
  for (SourceTrack& track : state.tracks_of(relay)) attach(state, track, from);
}

void release_source(EngineState& state, std::uint32_t relay_index) {
  Relay& relay = state.relays[relay_index];
  if (!relay.from) return;
  for (SourceTrack& track : state.tracks_of(relay)) {
    say_goodbye(state, track);
    release(state, track, relay.from->keys);
  }
  state.ssrcs.retire(relay.from->reply_ssrc);
  relay.from.reset();
}

}  // namespace runnel::relay
