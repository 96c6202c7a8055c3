#include "core/transport/membership.h"

#include <algorithm>

#include "core/transport/checks.h"
#include "core/transport/handshakes.h"
#include "core/transport/liveness.h"
#include "core/transport/transports_state.h"

namespace runnel::transport {
namespace {

/// 48 random bits; should another peer have them all the same, they are drawn again.
ice::Credentials draw_unused(TransportsState& state) {
  for (;;) {
    ice::Credentials drawn = ice::draw_credentials(state.random);
    if (state.ufrags.find(drawn.ufrag) == nullptr) return drawn;
  }
}

void add_ufrag(TransportsState& state, Peer& peer) {
  peer.ufrags.push_back(peer.agent.local().ufrag);
  static_cast<void>(state.ufrags.add(peer.ufrags.back(), peer));
}

bool is_same_peer(const Peer& peer, const RemoteDescription& remote) {
  return !peer.remote || peer.remote->fingerprints == remote.fingerprints;
}

void renew_credentials(TransportsState& state, Peer& peer) {
  if (const auto given_up = peer.agent.restart(draw_unused(state))) {
    state.ufrags.remove(*given_up);
    std::erase(peer.ufrags, *given_up);
  }
  add_ufrag(state, peer);
}

}  // namespace

std::optional<PeerId> add_peer(TransportsState& state) {
  Peer* peer = state.peers.add(draw_unused(state),
                               {.paths = std::max<std::size_t>(state.limits.paths_per_peer, 1),
                                .consent = state.limits.consent});
  if (peer == nullptr) return std::nullopt;
  add_ufrag(state, *peer);
  peer->connect_end = state.now + state.limits.connect;
  set_deadline(state, *peer);
  return peer->id;
}

bool set_remote(TransportsState& state, Peer& peer, const RemoteDescription& remote) {
  if (!is_same_peer(peer, remote)) return false;
  peer.agent.set_remote_ufrag(remote.ice.ufrag);
  if (peer.remote) return true;
  peer.remote = Identity{.fingerprints = remote.fingerprints, .role = remote.role};
  consider_turn(state, peer);
  return true;
}

bool restart(TransportsState& state, Peer& peer, const RemoteDescription& remote) {
  if (!is_same_peer(peer, remote)) return false;
  if (peer.phase != Phase::ended) renew_credentials(state, peer);
  return set_remote(state, peer, remote);
}

void remove_peer(TransportsState& state, Peer& peer) noexcept {
  if (peer.phase != Phase::ended) {
    say_goodbye(state, peer);
    end(state, peer, PeerEndReason::closed);
  }
  state.events.forget(peer.id);
  state.peers.remove(peer.id);
}

}  // namespace runnel::transport
