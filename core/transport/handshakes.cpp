#include "core/transport/handshakes.h"

#include "core/transport/liveness.h"
#include "core/transport/transports_state.h"

namespace runnel::transport {
namespace {

/// The active side begins as soon as there is a path.
bool wants_to_begin(const Peer& peer) noexcept {
  return peer.dtls == nullptr && peer.remote->role == DtlsRole::active &&
         peer.agent.selected().has_value();
}

bool has_work(const Peer& peer) noexcept {
  return peer.remote.has_value() && (!peer.waiting.empty() || wants_to_begin(peer));
}

/// Flights go where media goes; before that is known, where DTLS has come from. Both have been
/// authenticated by checks; what has no such path any more is lost.
std::optional<Path> flight_path(const Peer& peer) noexcept {
  if (const auto selected = peer.agent.selected()) return selected;
  if (peer.agent.is_validated(peer.dtls_path)) return peer.dtls_path;
  return std::nullopt;
}

void send_flights(TransportsState& state, Peer& peer) noexcept {
  const auto path = flight_path(peer);
  while (const auto datagram = peer.dtls->next_datagram()) {
    if (path) state.outgoing.push(*path, *datagram);
  }
}

void take_keys(TransportsState& state, Peer& peer) noexcept {
  const auto keys = peer.dtls->keys();
  if (!keys) return;
  peer.receiver.emplace(keys->remote,
                        srtp::ReceiverOptions{.replay_window = state.limits.replay_window,
                                              .max_ssrcs = state.limits.ssrcs_per_peer});
  peer.sender.emplace(keys->local, srtp::SenderOptions{.max_ssrcs = state.limits.ssrcs_per_peer});
  state.early.release(peer.early);
  ++state.counts.handshakes;
  connect_when_complete(state, peer);
}

PeerEndReason end_reason(dtls::Failure failure) noexcept {
  switch (failure) {
    case dtls::Failure::wrong_fingerprint:
      return PeerEndReason::wrong_fingerprint;
    case dtls::Failure::no_common_profile:
      return PeerEndReason::no_common_profile;
    case dtls::Failure::timed_out:
      return PeerEndReason::never_connected;
    case dtls::Failure::alert:
    case dtls::Failure::protocol_error:
      break;
  }
  return PeerEndReason::handshake_failed;
}

/// What the association has come to. Its peer may have ended afterwards.
void conclude(TransportsState& state, Peer& peer) noexcept {
  send_flights(state, peer);
  switch (peer.dtls->state()) {
    case dtls::State::handshaking:
      set_deadline(state, peer);
      break;
    case dtls::State::connected:
      if (!peer.receiver) take_keys(state, peer);
      set_deadline(state, peer);
      break;
    case dtls::State::closed_by_peer:
    case dtls::State::closed:
      end(state, peer, PeerEndReason::closed);
      break;
    case dtls::State::failed:
      ++state.counts.handshakes_failed;
      peer.failure_detail = peer.dtls->failure_detail();
      end(state, peer, end_reason(peer.dtls->failure().value_or(dtls::Failure::protocol_error)));
      break;
  }
}

void open(TransportsState& state, Peer& peer) {
  const bool active = peer.remote->role == DtlsRole::active;
  peer.dtls = std::make_unique<dtls::Association>(
      state.context,
      dtls::AssociationOptions{.role = active ? dtls::Role::active : dtls::Role::passive});
  peer.dtls->expect(peer.remote->fingerprints);
  peer.dtls->start(state.now);
}

/// One datagram, or the beginning.
void take_turn(TransportsState& state, Peer& peer) noexcept {
  if (peer.dtls == nullptr) open(state, peer);
  DatagramList present;
  if (!peer.waiting.empty()) {
    state.waiting.move_front(peer.waiting, present);
    peer.dtls_path = state.waiting.front_path(present);
    peer.dtls->receive(state.now, state.waiting.front_bytes(present));
  }
  conclude(state, peer);
  state.waiting.clear(present);
}

}  // namespace

std::optional<DropReason> handle_dtls(TransportsState& state, const Path& path,
                                      ByteView datagram) noexcept {
  const PeerPath* from = state.paths.find(path);
  if (from == nullptr) return DropReason::unknown_path;
  Peer& peer = *from->owner;
  if (peer.waiting.size() >= state.limits.waiting_per_peer ||
      !state.waiting.append(peer.waiting, path, datagram)) {
    return DropReason::queue_full;
  }
  consider_turn(state, peer);
  serve_ready(state);
  return std::nullopt;
}

void serve_ready(TransportsState& state) noexcept {
  while (state.share > 0 && !state.ready.empty()) {
    --state.share;
    Peer& peer = state.ready.pop();
    take_turn(state, peer);
    consider_turn(state, peer);
  }
}

void consider_turn(TransportsState& state, Peer& peer) noexcept {
  if (peer.phase != Phase::ended && has_work(peer)) state.ready.push(peer);
}

std::optional<Timestamp> dtls_deadline(const Peer& peer) noexcept {
  return peer.dtls == nullptr ? std::nullopt : peer.dtls->next_timeout();
}

void handle_dtls_timeout(TransportsState& state, Peer& peer) noexcept {
  const auto deadline = dtls_deadline(peer);
  if (!deadline || *deadline > state.now) return;
  peer.dtls->handle_timeout(state.now);
  conclude(state, peer);
}

void say_goodbye(TransportsState& state, Peer& peer) noexcept {
  if (peer.dtls == nullptr) return;
  peer.dtls->close();
  send_flights(state, peer);
}

void drop_handshake(TransportsState& state, Peer& peer) noexcept {
  state.ready.remove(peer);
  state.waiting.clear(peer.waiting);
  peer.dtls.reset();
}

}  // namespace runnel::transport
