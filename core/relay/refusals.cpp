#include "core/relay/refusals.h"

#include <utility>

namespace runnel::relay {
namespace {

/// Says it once, and again only after a time in which nothing was refused: then something got
/// through in between.
void note_refused(EngineState& state, ReceiverTrack& receiver) noexcept {
  const auto before = std::exchange(receiver.refused, state.now);
  if (before && state.now - *before <= state.limits.stall) return;
  receiver.refused_since = state.now;
  state.say(ReceiverUnreachable{receiver.id});
}

void note_in_leg(EngineState& state, const ReceiverLegState& leg, PortIndex port,
                 const SocketAddress& destination) noexcept {
  for (ReceiverTrack& receiver : state.receivers_of(leg)) {
    if (!receiver.uses(port)) continue;
    const bool is_rtp = receiver.rtp_destination == destination;
    if (!is_rtp && receiver.rtcp_destination != destination) continue;
    receiver.drops.add(DropReason::unreachable);
    // Many receivers have nothing at the RTCP port, and play well.
    if (is_rtp) note_refused(state, receiver);
  }
}

void note_at_source(EngineState& state, const Relay& relay, PortIndex port,
                    const SocketAddress& destination) noexcept {
  for (SourceTrack& track : state.tracks_of(relay)) {
    if (track.uses(port) && track.reply_address() == destination) {
      track.drops.add(DropReason::unreachable);
    }
  }
}

}  // namespace

void note_send_failure(EngineState& state, DatagramOwner owner, DropReason reason) noexcept {
  if (owner.is_nobody()) return state.stray_drops.add(reason);
  if (owner.is_source()) {
    if (state.tracks.holds(owner.index())) state.tracks[owner.index()].drops.add(reason);
    return;
  }
  if (!state.receivers.holds(owner.index())) return;
  ReceiverTrack& receiver = state.receivers[owner.index()];
  receiver.drops.add(reason);
  if (reason == DropReason::unreachable) note_refused(state, receiver);
}

void note_unreachable(EngineState& state, PortIndex port,
                      const SocketAddress& destination) noexcept {
  const PortUse use = state.ports.at(port);
  switch (use.kind) {
    case PortUse::Kind::source:
      note_at_source(state, state.relays[use.owner], port, destination);
      break;
    case PortUse::Kind::receiver:
      note_in_leg(state, state.legs[use.owner], port, destination);
      break;
    case PortUse::Kind::shared:
      if (const auto leg = state.paths.find({port, destination})) {
        note_in_leg(state, state.legs[*leg], port, destination);
      } else if (const auto relay = state.source_paths.find({port, destination})) {
        note_at_source(state, state.relays[*relay], port, destination);
      }
      break;
    case PortUse::Kind::unused:
      break;
  }
}

}  // namespace runnel::relay
