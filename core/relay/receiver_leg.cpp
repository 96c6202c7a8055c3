#include "core/relay/receiver_leg.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/check.h"
#include "core/relay/destination.h"
#include "core/relay/encodings.h"
#include "core/relay/key_clones.h"
#include "core/relay/outgoing_identity.h"
#include "core/relay/peer_membership.h"
#include "core/relay/receiver_reports.h"
#include "core/relay/track_lifecycle.h"

namespace runnel::relay {
namespace {

using Holder = SsrcDirectory::Holder;

/// SRTP contexts for what a receiver sends: one for each SSRC that it reports under.
constexpr std::size_t kReceiverSsrcs = 16;

void claim_port(EngineState& state, PortIndex port, const ReceiverTrack& receiver) {
  if (state.ports.at(port).kind != PortUse::Kind::shared) {
    state.ports.set(port, {PortUse::Kind::receiver, receiver.leg});
  } else if (!state.legs[receiver.leg].latches) {
    return;
  } else if (!receiver.reply_ssrc) {
    state.ports.set(port, {PortUse::Kind::shared, receiver.leg});
  } else if (!state.known_ssrcs.find(port, *receiver.reply_ssrc)) {
    state.known_ssrcs.add(port, *receiver.reply_ssrc, {Holder::Kind::receiver, receiver.leg});
  }
}

void release_port(EngineState& state, PortIndex port, const ReceiverTrack& receiver) {
  const PortUse use = state.ports.at(port);
  if (use.kind == PortUse::Kind::receiver) {
    state.ports.set(port, {});
  } else if (use.kind == PortUse::Kind::shared && use.owner == receiver.leg) {
    state.ports.set(port, {PortUse::Kind::shared, PortUse::kNobody});
  }
  if (!receiver.reply_ssrc) return;
  const Holder own{Holder::Kind::receiver, receiver.leg};
  if (state.known_ssrcs.find(port, *receiver.reply_ssrc) == own) {
    state.known_ssrcs.remove(port, *receiver.reply_ssrc);
  }
}

std::uint32_t adopt_or_draw(EngineState& state, std::optional<std::uint32_t> announced) {
  if (!announced) return state.ssrcs.draw();
  state.ssrcs.adopt(*announced);
  return *announced;
}

/// What the peer has been told already, and the rest at random.
void draw_peer_identity(EngineState& state, ReceiverTrack& receiver, const WebRtcMedium& medium) {
  constexpr std::uint32_t kFarFromWrap = 0x7fff;
  std::optional<std::uint32_t> announced;
  std::optional<std::uint32_t> announced_retransmission;
  if (!medium.ssrcs.empty()) {
    announced = medium.ssrcs.front().ssrc;
    announced_retransmission = medium.ssrcs.front().retransmission_ssrc;
  }
  receiver.webrtc = std::make_unique<WebRtcReceiver>(medium);
  receiver.ssrc = adopt_or_draw(state, announced);
  if (!medium.retransmission_payload_type) {
    if (announced_retransmission) state.ssrcs.release(*announced_retransmission);
    return;
  }
  receiver.webrtc->retransmission_ssrc = adopt_or_draw(state, announced_retransmission);
  receiver.webrtc->next_retransmission_number =
      static_cast<std::uint16_t>(state.random.u32() & kFarFromWrap);
}

void draw_identity(EngineState& state, ReceiverTrack& receiver, const ReceiverMedium& medium) {
  const ReceiverLegState& leg = state.legs[receiver.leg];
  receiver.pinned_ssrc = medium.ssrc.has_value();
  if (medium.ssrc) {
    state.ssrcs.add_pinned(*medium.ssrc);
    if (leg.key) state.pinned.emplace(*medium.ssrc, leg.key->clone());
  }
  if (leg.link) return draw_peer_identity(state, receiver, *medium.webrtc);
  receiver.ssrc = medium.ssrc ? *medium.ssrc : state.ssrcs.draw();
  if (leg.key) receiver.sender.emplace(make_sender(*leg.key));
}

bool asks_again(const ReceiverTrack& receiver) {
  return receiver.webrtc && receiver.webrtc->agreed.feedback.nack;
}

void build_receiver(EngineState& state, std::uint32_t leg_index, const ReceiverMedium& medium,
                    const ReceiverMediumId& id) {
  const std::uint32_t index = state.receivers.add({});
  ReceiverTrack& receiver = state.receivers[index];
  ReceiverLegState& leg = state.legs[leg_index];
  leg.receivers.push_back(index);
  receiver.index = index;
  receiver.id = id;
  receiver.leg = leg_index;
  receiver.source = state.relays[id.relay].tracks[medium.source];
  receiver.payload_type = medium.payload_type;
  receiver.channel = leg.channel;
  receiver.link = leg.link;
  receiver.layers = medium.layers;
  draw_identity(state, receiver, medium);
  if (asks_again(receiver)) ++state.tracks[receiver.source].repeat_askers;
  if (leg.link) place_on_link(state, receiver);
  join_encoding(state, receiver);
  if (leg.channel || leg.link) return;

  receiver.ports = medium.ports;
  receiver.reply_ssrc = medium.reply_ssrc;
  claim_port(state, medium.ports.rtp, receiver);
  if (medium.ports.rtcp) claim_port(state, *medium.ports.rtcp, receiver);
  if (!medium.rtp_destination) return;
  // Claims has found the paths free.
  RUNNEL_CHECK(place_receiver(state, receiver, *medium.rtp_destination, *rtcp_destination(medium)));
}

void say_goodbye(EngineState& state, ReceiverTrack& receiver) {
  if (receiver.link) return;  // it is told by SDP, or by DTLS
  std::array<std::uint8_t, kPacketCapacity> buffer;
  rtp::RtcpWriter writer(buffer);
  if (!write_goodbye(state, receiver, writer)) return;
  state.farewells.add({.owner = DatagramOwner::receiver(receiver.index),
                       .port = receiver.control_port(),
                       .destination = receiver.rtcp_destination.value_or(SocketAddress{}),
                       .channel = receiver.channel,
                       .medium = static_cast<std::uint8_t>(receiver.id.medium)},
                      receiver.sender ? &*receiver.sender : nullptr, buffer,
                      writer.written().size());
}

/// The last one: nothing is kept any more.
void forget_asker(EngineState& state, const SourceTrack& track) {
  if (--state.tracks[track.first].repeat_askers != 0) return;
  for (SourceTrack& encoding : state.encodings_beside(track)) encoding.sent.clear();
}

/// The SSRCs that it had by its peer.
void release_peer_identity(EngineState& state, const ReceiverTrack& receiver) noexcept {
  forget_sent(state, *receiver.link, receiver.ssrc);
  const std::uint32_t retransmissions = receiver.webrtc->retransmission_ssrc;
  if (retransmissions == 0) return;
  forget_sent(state, *receiver.link, retransmissions);
  state.ssrcs.retire(retransmissions);
}

void release(EngineState& state, ReceiverTrack& receiver) {
  end_identity(state, receiver);
  leave_encodings(state, receiver);
  if (asks_again(receiver)) forget_asker(state, state.tracks[receiver.source]);
  if (receiver.link) release_peer_identity(state, receiver);
  receiver.webrtc.reset();
  receiver.shared_sender = nullptr;
  if (!receiver.channel && !receiver.link) {
    displace_receiver(state, receiver);
    release_port(state, receiver.ports.rtp, receiver);
    release_port(state, receiver.control_port(), receiver);
  }
  if (receiver.pinned_ssrc) {
    const auto& key = state.legs[receiver.leg].key;
    if (key) state.unpin(receiver.ssrc, *key);
    state.ssrcs.remove_pinned(receiver.ssrc);
  } else {
    state.ssrcs.retire(receiver.ssrc);
  }
  receiver.sender.reset();
  DepartedStatistics& departed = state.relays[receiver.id.relay].departed;
  departed.packets += receiver.packets;
  departed.bytes += receiver.bytes;
  departed.drops += receiver.drops;
}

}  // namespace

std::uint32_t build_receiver_leg(EngineState& state, std::uint32_t relay_index,
                                 ReceiverLeg&& described) {
  Relay& relay = state.relays[relay_index];
  const std::uint32_t index = state.legs.add({});
  const std::uint32_t number = relay.legs.add(index);
  ++relay.receiver_count;
  ReceiverLegState& leg = state.legs[index];
  leg.relay = relay_index;
  leg.number = number;
  leg.channel = described.channel;
  if (described.peer) {
    leg.link = link_to(state, *described.peer);
    state.links[*leg.link].legs.push_back(index);
  }
  if (!described.channel && !described.peer) {
    leg.allow = std::move(described.allow);
    leg.latches = described.latch == Latch::first;
  }
  if (described.srtp && !described.channel && !described.peer) {
    leg.key.emplace(described.srtp->media_keys.front().clone());
    leg.reply_keys = clones_of(reply_keys(*described.srtp));
    leg.reply_receiver.emplace(std::span<const srtp::MasterKey>(leg.reply_keys),
                               srtp::ReceiverOptions{.replay_window = described.srtp->replay_window,
                                                     .max_ssrcs = kReceiverSsrcs});
  }
  for (std::size_t i = 0; i < described.media.size(); ++i) {
    build_receiver(state, index, described.media[i], {relay_index, number, i});
  }
  return number;
}

void set_paused(EngineState& state, ReceiverLegState& leg, bool paused) noexcept {
  if (std::exchange(leg.paused, paused) == paused) return;
  for (ReceiverTrack& receiver : state.receivers_of(leg)) {
    receiver.paused = paused;
    if (paused) continue;
    if (receiver.reported) receiver.reported = state.now;  // who gets nothing need not report
    begin_again(state, receiver);
    request_key_frame(state, state.tracks[receiver.source]);
  }
}

void remove_receiver_leg(EngineState& state, std::uint32_t index) {
  ReceiverLegState& leg = state.legs[index];
  for (ReceiverTrack& receiver : state.receivers_of(leg)) {
    say_goodbye(state, receiver);
    release(state, receiver);
  }
  if (leg.link) {
    std::erase(state.links[*leg.link].legs, index);
    leave_link(state, *leg.link);
    leg.link.reset();
  }
  leg.key.reset();
  leg.reply_keys.clear();
  leg.reply_receiver.reset();
  leg.removed = true;
  --state.relays[leg.relay].receiver_count;
  state.departures.add({Departed::Kind::leg, index});
}

void bury_leg(EngineState& state, std::uint32_t index) {
  const ReceiverLegState& leg = state.legs[index];
  for (const std::uint32_t receiver : leg.receivers) state.receivers.remove(receiver);
  state.relays[leg.relay].legs.remove(leg.number);
  state.legs.remove(index);
}

}  // namespace runnel::relay
