#include "core/relay/source_leg.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/relay/encodings.h"
#include "core/relay/key_clones.h"
#include "core/relay/peer_feedback.h"
#include "core/relay/peer_membership.h"
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

/// What arrives by a peer needs no place and no keys of its own.
void attach_to_link(SourceTrack& track, const SourceMedium& medium, std::uint32_t link) {
  track.link = link;
  track.webrtc = std::make_unique<WebRtcSource>(*medium.webrtc);
  const std::vector<std::string>& rids = medium.webrtc->rids;
  track.is_offered = track.encoding < std::max<std::size_t>(rids.size(), 1);
  if (rids.size() > 1 && track.is_offered) track.rid = rids[track.encoding];
}

void attach_srtp(EngineState& state, SourceTrack& track, const SourceMedium& medium,
                 const SrtpSettings& settings) {
  const std::span<const srtp::MasterKey> keys(settings.media_keys);
  track.srtp.emplace(keys, srtp::ReceiverOptions{
                               .replay_window = settings.replay_window,
                               .max_ssrcs = state.limits.ssrcs_per_leg,
                               .initial_rollover_counter = medium.rollover_counter,
                           });
  if (!medium.ssrc) return;
  for (const srtp::MasterKey& key : keys) state.pinned.emplace(*medium.ssrc, key.clone());
}

void attach(EngineState& state, SourceTrack& track, const SourceLeg& from,
            std::optional<std::uint32_t> link) {
  const SourceMedium& medium = from.media[track.medium];
  track.payload_type = medium.payload_type;
  if (link) return attach_to_link(track, medium, *link);
  if (track.encoding != 0) return;  // others than peers send one alone
  track.is_offered = true;
  track.ports = medium.ports;
  track.channel = from.channel;
  track.pinned_ssrc = medium.ssrc;
  if (from.channel) return;
  track.remote = medium.remote;
  track.rtcp_remote = medium.rtcp_remote;
  claim_places(state, track);
  if (from.srtp) attach_srtp(state, track, medium, *from.srtp);
}

/// So that each medium has as many encodings as the source says.
void add_encodings(EngineState& state, std::uint32_t relay, const SourceLeg& from) {
  for (std::size_t i = 0; i < from.media.size(); ++i) {
    if (!from.media[i].webrtc) continue;
    const std::uint32_t first = state.relays[relay].tracks[i];
    while (state.tracks[first].encodings.size() < from.media[i].webrtc->rids.size()) {
      add_encoding(state, relay, first);
    }
  }
}

void say_goodbye(EngineState& state, SourceTrack& track) {
  if (!track.is_flowing() || track.link) return;  // a peer is told by DTLS
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
  if (track.link) {
    state.links[*track.link].routes.close_track(track.index);
  } else if (!track.channel && track.is_offered) {
    release_places(state, track);
  }
  if (track.pinned_ssrc) {
    for (const srtp::MasterKey& key : keys) state.unpin(*track.pinned_ssrc, key);
    state.ssrcs.release(*track.pinned_ssrc);
  }
  track.forget_source(state.limits.key_frame_interval);
}

void leave(EngineState& state, std::uint32_t relay, std::uint32_t link) {
  PeerLink& of_source = state.links[link];
  std::erase(of_source.relays, relay);
  of_source.arrivals_ssrc.reset();
  if (of_source.relays.empty()) of_source.arrivals.reset();
  set_link_deadline(state, of_source);
  leave_link(state, link);
}

}  // namespace

void attach_source(EngineState& state, std::uint32_t relay_index, SourceLeg&& from) {
  Relay& relay = state.relays[relay_index];
  SourceLegState& leg = relay.from.emplace();
  leg.reply_ssrc = state.ssrcs.draw();
  leg.channel = from.channel;
  leg.allow = std::move(from.allow);
  if (from.peer) {
    leg.link = link_to(state, *from.peer);
    PeerLink& link = state.links[*leg.link];
    link.relays.push_back(relay_index);
    if (!link.arrivals) link.arrivals = std::make_unique<TransportFeedbackRecorder>();
    add_encodings(state, relay_index, from);
  }
  if (from.srtp && !from.channel && !from.peer) {
    const std::span<const srtp::MasterKey> keys(from.srtp->media_keys);
    leg.keys = clones_of(keys);
    leg.rtcp_receiver.emplace(keys, srtp::ReceiverOptions{
                                        .replay_window = from.srtp->replay_window,
                                        .max_ssrcs = state.limits.ssrcs_per_leg,
                                    });
    leg.reply_sender.emplace(reply_keys(*from.srtp).front(), srtp::SenderOptions{.max_ssrcs = 1});
  }
  for (SourceTrack& track : state.encodings_of(relay)) attach(state, track, from, leg.link);
  for (const SourceTrack& track : state.tracks_of(relay)) {
    if (track.encodings.size() > 1) reconsider_encodings(state, track);
  }
}

void release_source(EngineState& state, std::uint32_t relay_index) {
  Relay& relay = state.relays[relay_index];
  if (!relay.from) return;
  for (SourceTrack& track : state.encodings_of(relay)) {
    say_goodbye(state, track);
    release(state, track, relay.from->keys);
  }
  state.ssrcs.retire(relay.from->reply_ssrc);
  const auto link = relay.from->link;
  if (link) forget_sent(state, *link, relay.from->reply_ssrc);
  relay.from.reset();
  if (link) leave(state, relay_index, *link);
}

}  // namespace runnel::relay
