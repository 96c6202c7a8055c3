#include "core/relay/peer_membership.h"

#include "core/relay/encodings.h"
#include "core/relay/peer_feedback.h"
#include "core/relay/track_lifecycle.h"

namespace runnel::relay {
namespace {

/// What holds now of path and keys.
void refresh(EngineState& state, PeerLink& link) noexcept {
  link.path = state.transports->destination(link.peer);
  link.sender = link.path ? state.transports->sender(link.peer) : nullptr;
}

void place_legs(EngineState& state, PeerLink& link) noexcept {
  for (const std::uint32_t leg : link.legs) {
    for (ReceiverTrack& receiver : state.receivers_of(state.legs[leg])) {
      const bool was_there = receiver.rtp_destination.has_value();
      place_on_link(state, receiver);
      if (was_there || !receiver.rtp_destination) continue;
      begin_again(state, receiver);
      request_key_frame(state, state.tracks[receiver.source]);
    }
  }
}

}  // namespace

std::uint32_t link_to(EngineState& state, transport::PeerId peer) {
  const auto known = state.links_by_peer.find(peer);
  if (known != state.links_by_peer.end()) return known->second;
  const std::uint32_t index =
      state.links.add(PeerLink(state.links.next_number(), peer, state.limits.ssrcs_per_leg));
  state.links_by_peer.emplace(peer, index);
  state.link_deadlines.resize(state.links.bound());
  state.links_to_tell.reserve(state.links.bound());
  refresh(state, state.links[index]);
  return index;
}

void leave_link(EngineState& state, std::uint32_t index) {
  const PeerLink& link = state.links[index];
  if (!link.is_idle()) return;
  state.links_by_peer.erase(link.peer);
  state.link_deadlines.clear(index);
  std::erase(state.links_to_tell, index);
  state.links.remove(index);
}

void place_on_link(EngineState& state, ReceiverTrack& receiver) noexcept {
  const PeerLink& link = state.links[*receiver.link];
  receiver.shared_sender = link.sender;
  receiver.rtp_destination.reset();
  receiver.rtcp_destination.reset();
  if (!link.path || link.sender == nullptr) return;
  receiver.ports = {link.path->port, std::nullopt};
  receiver.rtp_destination = link.path->remote;
  receiver.rtcp_destination = link.path->remote;
}

void forget_sent(EngineState& state, std::uint32_t link, std::uint32_t ssrc) noexcept {
  // Also of a peer that has no path at present.
  srtp::Sender* sender = state.transports->sender(state.links[link].peer);
  if (sender != nullptr) sender->forget(ssrc);
}

void take_peer_event(EngineState& state, const transport::Event& event) noexcept {
  const transport::PeerId peer = std::visit([](const auto& of) { return of.peer; }, event);
  const auto found = state.links_by_peer.find(peer);
  if (found == state.links_by_peer.end()) return;
  PeerLink& link = state.links[found->second];
  refresh(state, link);
  set_link_deadline(state, link);
  place_legs(state, link);
}

}  // namespace runnel::relay
