#include "core/transport/checks.h"

#include <algorithm>
#include <array>

#include "core/stun/message_view.h"
#include "core/transport/handshakes.h"
#include "core/transport/liveness.h"
#include "core/transport/transports_state.h"

namespace runnel::transport {
namespace {

using namespace std::chrono_literals;

/// Two peers may come by one address, when a NAT has given it to somebody else. But who has been
/// heard there so lately (RFC 7675 §5.1: a check comes every 6 s at least) is still there, and is
/// not to be robbed by another peer that forges its address.
constexpr Duration kOwnership = 7s;

bool is_of_another(const TransportsState& state, const Peer& peer, const PeerPath* known) noexcept {
  if (known == nullptr || known->owner == &peer) return false;
  const Peer& owner = *known->owner;
  const bool has_media = owner.agent.selected() == known->path;
  const Timestamp last = std::max(known->last_check, has_media ? owner.last_media : Timestamp{});
  return state.now - last < kOwnership;
}

/// What peers send that is no request.
std::optional<DropReason> handle_other(const TransportsState& state, const Path& path,
                                       const stun::MessageView& message) noexcept {
  const bool keeps_open = message.is_binding(stun::MessageClass::indication);
  if (keeps_open && state.paths.find(path) != nullptr) return std::nullopt;
  return DropReason::unknown_path;
}

void adopt_path(TransportsState& state, Peer& peer, const Path& path) noexcept {
  if (PeerPath* known = state.paths.find(path)) {
    Peer& before = *known->owner;
    before.agent.forget(path);
    drop_path(state, before, path);
  }
  PeerPath& entry = *std::ranges::find(peer.paths, nullptr, &PeerPath::owner);
  entry = {.path = path, .owner = &peer, .last_check = state.now, .next = nullptr};
  state.paths.add(entry);
}

void retire_ufrag(TransportsState& state, Peer& peer, const std::string& ufrag) noexcept {
  state.ufrags.remove(ufrag);
  std::erase(peer.ufrags, ufrag);
}

void note_selected(TransportsState& state, Peer& peer, const Path& path) noexcept {
  if (peer.phase == Phase::connected) {
    state.tell(PeerMoved{.peer = peer.id, .path = path});
  } else {
    connect_when_complete(state, peer);
    consider_turn(state, peer);
  }
}

void apply(TransportsState& state, Peer& peer, const Path& path,
           const ice::CheckOutcome& outcome) noexcept {
  if (outcome.retired_ufrag) retire_ufrag(state, peer, *outcome.retired_ufrag);
  if (outcome.forgotten) drop_path(state, peer, *outcome.forgotten);
  if (outcome.validated) adopt_path(state, peer, path);
  if (PeerPath* entry = state.paths.find(path)) entry->last_check = state.now;
  note_authentic(state, peer);
  if (outcome.selected) note_selected(state, peer, path);
}

}  // namespace

std::optional<DropReason> handle_check(TransportsState& state, const Path& path,
                                       ByteView datagram) noexcept {
  const auto message = stun::MessageView::parse(datagram);
  if (!message) return DropReason::malformed;
  if (!message->is_binding(stun::MessageClass::request)) {
    return handle_other(state, path, *message);
  }
  const auto username = ice::split_username(message->username().value_or(""));
  if (!username) return DropReason::malformed;
  Peer* peer = state.ufrags.find(username->local);
  if (peer == nullptr || is_of_another(state, *peer, state.paths.find(path))) {
    return DropReason::unknown_path;
  }
  std::array<std::uint8_t, ice::kMaxResponseSize> room;
  const auto outcome = peer->agent.handle_request(state.now, path, *message, room);
  if (!outcome) return outcome.error();
  ++state.counts.stun_requests;
  state.outgoing.push(path, outcome->response);
  apply(state, *peer, path, *outcome);
  return std::nullopt;
}

void drop_path(TransportsState& state, Peer& peer, const Path& path) noexcept {
  PeerPath* entry = state.paths.find(path);
  if (entry == nullptr || entry->owner != &peer) return;
  state.paths.remove(*entry);
  *entry = {};
}

void drop_all_names(TransportsState& state, Peer& peer) noexcept {
  for (PeerPath& entry : peer.paths) {
    if (entry.owner != nullptr) state.paths.remove(entry);
    entry = {};
  }
  for (const std::string& ufrag : peer.ufrags) state.ufrags.remove(ufrag);
  peer.ufrags.clear();
}

}  // namespace runnel::transport
