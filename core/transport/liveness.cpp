#include "core/transport/liveness.h"

#include <algorithm>

#include "core/transport/checks.h"
#include "core/transport/handshakes.h"
#include "core/transport/transports_state.h"

namespace runnel::transport {
namespace {

/// Thousands of peers that came together go together: media is served in between.
constexpr std::size_t kDeadlinesPerTurn = 256;

/// RFC 7675 knows consent by checks alone. But there are peers that send none once they are
/// connected (webrtcbin with libnice 0.1.21: Binding indications), and authentic media is as hard
/// to forge, so that it is consent as well.
Timestamp consent_end(const TransportsState& state, const Peer& peer) noexcept {
  return std::max(*peer.agent.consent_end(), peer.last_media + state.limits.consent);
}

Timestamp next_deadline(const TransportsState& state, const Peer& peer) noexcept {
  Timestamp next = peer.connect_end;
  if (peer.phase == Phase::connected) {
    next = consent_end(state, peer);
    if (!peer.stalled) next = std::min(next, peer.last_authentic + state.limits.stall);
  }
  return std::min(next, dtls_deadline(peer).value_or(next));
}

void handle_silence(TransportsState& state, Peer& peer) noexcept {
  if (state.now >= consent_end(state, peer)) {
    end(state, peer, PeerEndReason::consent_lost);
  } else if (!peer.stalled && state.now >= peer.last_authentic + state.limits.stall) {
    peer.stalled = true;
    state.tell(PeerStalled{.peer = peer.id});
  }
}

void handle_deadline(TransportsState& state, Peer& peer) noexcept {
  if (peer.phase == Phase::connected) {
    handle_silence(state, peer);
  } else if (state.now >= peer.connect_end) {
    end(state, peer, PeerEndReason::never_connected);
  }
  if (peer.phase != Phase::ended) handle_dtls_timeout(state, peer);
  if (peer.phase != Phase::ended) set_deadline(state, peer);
}

}  // namespace

void note_authentic(TransportsState& state, Peer& peer) noexcept {
  peer.last_authentic = state.now;
  if (!peer.stalled) return;
  peer.stalled = false;
  state.tell(PeerResumed{.peer = peer.id});
  set_deadline(state, peer);
}

void note_media(TransportsState& state, Peer& peer) noexcept {
  if (peer.phase != Phase::connected) return;
  peer.last_media = state.now;
  note_authentic(state, peer);
}

void set_deadline(TransportsState& state, Peer& peer) noexcept {
  state.deadlines.set(state.peers.slot_of(peer.id), next_deadline(state, peer));
}

void handle_deadlines(TransportsState& state) noexcept {
  for (std::size_t i = 0; i < kDeadlinesPerTurn && !state.outgoing.is_full(); ++i) {
    const auto slot = state.deadlines.take_due(state.now);
    if (!slot) return;
    handle_deadline(state, state.peers.at(*slot));
  }
}

void connect_when_complete(TransportsState& state, Peer& peer) noexcept {
  const auto path = peer.agent.selected();
  if (peer.phase != Phase::connecting || !path || !peer.receiver) return;
  peer.phase = Phase::connected;
  peer.last_authentic = state.now;
  ++state.counts.connected;
  state.tell(PeerConnected{.peer = peer.id, .path = *path});
  set_deadline(state, peer);
}

void end(TransportsState& state, Peer& peer, PeerEndReason reason) noexcept {
  if (peer.phase == Phase::connected) --state.counts.connected;
  peer.phase = Phase::ended;
  state.deadlines.clear(state.peers.slot_of(peer.id));
  drop_all_names(state, peer);
  drop_handshake(state, peer);
  state.early.discard(peer.early);
  state.tell(PeerEnded{.peer = peer.id, .reason = reason});
}

}  // namespace runnel::transport
