// What the transports tell of peer connections, as it concerns clients, legs and the log.
#include <algorithm>
#include <utility>

#include "core/session/lifecycle.h"
#include "core/session/peers.h"

namespace runnel::session {
namespace {

using signalling::PeerEndReason;
using What = signalling::PeerState::What;

PeerEndReason reason_of(transport::PeerEndReason reason) noexcept {
  switch (reason) {
    case transport::PeerEndReason::never_connected:
      return PeerEndReason::never_connected;
    case transport::PeerEndReason::handshake_failed:
      return PeerEndReason::handshake_failed;
    case transport::PeerEndReason::wrong_fingerprint:
      return PeerEndReason::wrong_fingerprint;
    case transport::PeerEndReason::no_common_profile:
      return PeerEndReason::no_common_profile;
    case transport::PeerEndReason::closed:
      return PeerEndReason::closed;
    case transport::PeerEndReason::consent_lost:
      break;
  }
  return PeerEndReason::consent_lost;
}

/// The last one takes the peer along.
void end_legs(DeskState& state, const Moment& moment, const PeerKey& key,
              signalling::LegEndReason reason) {
  const std::set<signalling::LegNumber> legs = find_peer(state, key)->legs;
  for (const signalling::LegNumber leg : legs) {
    end_leg(state, moment, {key.session, leg}, reason);
  }
}

class PeerEventTaker {
 public:
  PeerEventTaker(DeskState& state, const Moment& moment) : state_(state), moment_(moment) {}

  void operator()(const transport::PeerConnected& event) { told(event.peer, What::connected); }
  void operator()(const transport::PeerMoved& event) { told(event.peer, What::moved); }
  void operator()(const transport::PeerPathClosed&) {}  // it knows, and may have another
  void operator()(const transport::PeerStalled& event) { told(event.peer, What::stalled); }
  void operator()(const transport::PeerResumed& event) { told(event.peer, What::resumed); }
  void operator()(const transport::PeerEnded& event) {
    const auto found = state_.peers.find(event.peer);
    if (found != state_.peers.end()) {
      end_peer(state_, moment_, PeerKey(found->second), reason_of(event.reason));
    }
  }

 private:
  void told(transport::PeerId id, What what) {
    const auto found = state_.peers.find(id);
    if (found == state_.peers.end()) return;  // it has gone already
    const PeerKey key = found->second;
    find_peer(state_, key)->is_stalled = what == What::stalled;
    tell(state_, key.session, signalling::PeerState{key.peer, what, std::nullopt});
  }

  DeskState& state_;
  const Moment& moment_;
};

}  // namespace

void take_peer_event(DeskState& state, const Moment& moment, const transport::Event& event) {
  std::visit(PeerEventTaker(state, moment), event);
}

void announce_end(DeskState& state, const PeerKey& key, PeerEndReason reason) {
  tell(state, key.session, signalling::PeerState{key.peer, What::ended, reason});
}

void end_peer(DeskState& state, const Moment& moment, const PeerKey& key, PeerEndReason reason) {
  announce_end(state, key, reason);
  find_peer(state, key)->has_ended = true;
  end_legs(state, moment, key, signalling::LegEndReason::peer_ended);
}

void end_peer_legs(DeskState& state, const Moment& moment, const PeerKey& key) {
  end_legs(state, moment, key, signalling::LegEndReason::shutting_down);
}

}  // namespace runnel::session
