#include "core/transport/transports.h"

#include <algorithm>

#include "core/transport/checks.h"
#include "core/transport/handshakes.h"
#include "core/transport/liveness.h"
#include "core/transport/membership.h"
#include "core/transport/transports_state.h"

namespace runnel::transport {

Transports::Transports(TransportLimits limits, const dtls::Context& context, RandomSource& random)
    : state_(std::make_unique<TransportsState>(limits, context, random)) {}

Transports::~Transports() = default;

std::optional<PeerId> Transports::add(Timestamp now) {
  state_->now = now;
  return add_peer(*state_);
}

const ice::Credentials& Transports::local_credentials(PeerId peer) const {
  return state_->peers.get(peer).agent.local();
}

bool Transports::set_remote(Timestamp now, PeerId peer, const RemoteDescription& remote) {
  state_->now = now;
  return transport::set_remote(*state_, state_->peers.get(peer), remote);
}

bool Transports::restart(Timestamp now, PeerId peer, const RemoteDescription& remote) {
  state_->now = now;
  return transport::restart(*state_, state_->peers.get(peer), remote);
}

void Transports::remove(PeerId peer) {
  remove_peer(*state_, state_->peers.get(peer));
}

bool Transports::holds(PeerId peer) const noexcept {
  return state_->peers.find(peer) != nullptr;
}

std::string_view Transports::failure_detail(PeerId peer) const noexcept {
  const Peer* found = state_->peers.find(peer);
  return found == nullptr ? std::string_view() : found->failure_detail;
}

std::size_t Transports::size() const noexcept {
  return state_->peers.size();
}

std::optional<DropReason> Transports::handle_stun(Timestamp now, const Path& path,
                                                  ByteView datagram) noexcept {
  state_->now = now;
  return handle_check(*state_, path, datagram);
}

std::optional<DropReason> Transports::handle_dtls(Timestamp now, const Path& path,
                                                  ByteView datagram) noexcept {
  state_->now = now;
  return transport::handle_dtls(*state_, path, datagram);
}

void Transports::handle_closed_path(Timestamp now, const Path& path) noexcept {
  state_->now = now;
  const PeerPath* entry = state_->paths.find(path);
  if (entry == nullptr) return;
  Peer& peer = *entry->owner;
  const bool had_media = peer.phase == Phase::connected && peer.agent.selected() == path;
  peer.agent.forget(path);
  drop_path(*state_, peer, path);
  if (had_media) state_->tell(PeerPathClosed{.peer = peer.id, .path = path});
}

void Transports::handle_timeout(Timestamp now) noexcept {
  state_->now = now;
  handle_deadlines(*state_);
  serve_ready(*state_);
}

void Transports::begin_turn() noexcept {
  state_->share = state_->limits.datagrams_per_turn;
}

std::optional<Timestamp> Transports::next_timeout() const noexcept {
  if (!state_->ready.empty()) return state_->now;
  return state_->deadlines.earliest();
}

std::optional<PeerId> Transports::peer_at(const Path& path) const noexcept {
  const PeerPath* entry = state_->paths.find(path);
  if (entry == nullptr) return std::nullopt;
  return entry->owner->id;
}

std::optional<Path> Transports::destination(PeerId peer) const noexcept {
  const Peer* found = state_->peers.find(peer);
  if (found == nullptr || found->phase != Phase::connected) return std::nullopt;
  return found->agent.selected();
}

srtp::Receiver* Transports::receiver(PeerId peer) noexcept {
  Peer* found = state_->peers.find(peer);
  return found == nullptr || !found->receiver ? nullptr : &*found->receiver;
}

srtp::Sender* Transports::sender(PeerId peer) noexcept {
  Peer* found = state_->peers.find(peer);
  return found == nullptr || !found->sender ? nullptr : &*found->sender;
}

std::optional<DropReason> Transports::hold(const Path& path, ByteView datagram) noexcept {
  const PeerPath* entry = state_->paths.find(path);
  if (entry == nullptr) return DropReason::unknown_path;
  Peer& peer = *entry->owner;
  if (peer.receiver || !state_->early.hold(peer.early, path, datagram)) {
    return DropReason::before_keys;
  }
  return std::nullopt;
}

std::span<const EarlyDatagram> Transports::take_early() noexcept {
  return state_->early.take();
}

void Transports::note_media(Timestamp now, PeerId peer) noexcept {
  state_->now = now;
  Peer* found = state_->peers.find(peer);
  if (found != nullptr) transport::note_media(*state_, *found);
}

std::optional<OutgoingDatagram> Transports::next_datagram() noexcept {
  return state_->outgoing.next();
}

void Transports::take_events(std::vector<Event>& out) {
  state_->events.take(out);
}

Transports::Counts Transports::counts() const noexcept {
  Counts counts = state_->counts;
  counts.peers = state_->peers.size();
  counts.paths = state_->paths.size();
  counts.waiting_datagrams = state_->waiting.size();
  counts.early_packets = state_->early.size();
  counts.lost_datagrams = state_->outgoing.lost();
  return counts;
}

}  // namespace runnel::transport
