#include "core/session/peers.h"

#include <algorithm>
#include <utility>

#include "core/ice/credentials.h"
#include "core/session/candidates.h"
#include "core/session/lifecycle.h"

namespace runnel::session {
namespace {

using signalling::ErrorCode;

constexpr std::chrono::milliseconds kRetryWhenFull{5'000};

/// It has no legs any more.
void drop_peer(DeskState& state, const PeerKey& key) {
  SessionRecord& session = state.sessions.at(key.session);
  const auto found = session.peers.find(key.peer);
  state.peers.erase(found->second.id);
  state.changed_peers.erase(key);
  // The engine still has to say that the legs have gone.
  state.departed_peers.push_back(found->second.id);
  session.peers.erase(found);
}

bool is_same(const negotiation::PeerTransport& a, const negotiation::PeerTransport& b) {
  return a.ufrag == b.ufrag && a.password == b.password && a.fingerprints == b.fingerprints;
}

Expected<transport::RemoteDescription> remote_description(const negotiation::PeerTransport& remote,
                                                          sdp::Setup our_setup) {
  transport::RemoteDescription description;
  description.ice = {.ufrag = remote.ufrag, .password = remote.password};
  if (!ice::is_valid(description.ice)) {
    return refuse(ErrorCode::bad_sdp,
                  "the ICE credentials are of characters or of a length that "
                  "RFC 8839 does not allow");
  }
  for (const std::string& text : remote.fingerprints) {
    if (const auto known = dtls::Fingerprint::parse(text)) {
      description.fingerprints.push_back(*known);
    }
  }
  if (description.fingerprints.empty()) {
    return refuse(ErrorCode::bad_sdp,
                  "no a=fingerprint is by a hash function that is known here; use sha-256");
  }
  description.role =
      our_setup == sdp::Setup::active ? transport::DtlsRole::active : transport::DtlsRole::passive;
  return description;
}

std::unexpected<signalling::Error> other_certificate() {
  return refuse(ErrorCode::bad_sdp, "a=fingerprint is of another certificate than before");
}

}  // namespace

Expected<PeerRecord> begin_peer(DeskState& state, const Moment& moment, const std::string& stream) {
  transport::Transports* transports = state.settings.webrtc.transports;
  if (transports == nullptr) {
    return refuse(ErrorCode::unsupported_leg, "this server has no webrtc (webrtc.enabled)");
  }
  const auto id = transports->add(moment.now);
  if (!id) {
    return refuse(ErrorCode::full, "the server has as many peer connections as it may",
                  kRetryWhenFull);
  }
  const std::uint64_t session_id =
      (std::uint64_t{state.random.u32()} << 31) | (state.random.u32() >> 1);
  return PeerRecord(*id, session_id, stream);
}

void abandon_peer(DeskState& state, const PeerRecord& peer) {
  state.settings.webrtc.transports->remove(peer.id);
}

signalling::PeerNumber adopt_peer(DeskState& state, SessionNumber number, PeerRecord peer) {
  SessionRecord& session = state.sessions.at(number);
  const PeerKey key{number, session.next_peer++};
  state.peers.emplace(peer.id, key);
  session.peers.emplace(key.peer, std::move(peer));
  return key.peer;
}

PeerRecord* find_peer(DeskState& state, const PeerKey& key) noexcept {
  const auto session = state.sessions.find(key.session);
  if (session == state.sessions.end()) return nullptr;
  const auto peer = session->second.peers.find(key.peer);
  return peer == session->second.peers.end() ? nullptr : &peer->second;
}

Expected<PeerRecord*> find_own_peer(SessionRecord& session, signalling::PeerNumber number) {
  const auto found = session.peers.find(number);
  if (found != session.peers.end()) return &found->second;
  return refuse(ErrorCode::unknown_peer,
                "this session has no peer connection " + std::to_string(number));
}

negotiation::LocalTransport local_transport(const DeskState& state, const PeerRecord& peer,
                                            const IpAddress& address) {
  const WebRtcSettings& webrtc = state.settings.webrtc;
  const ice::Credentials& credentials = webrtc.transports->local_credentials(peer.id);
  return {.ufrag = credentials.ufrag,
          .password = credentials.password,
          .fingerprints = {webrtc.fingerprint.to_string()},
          .candidates = candidates_for(state.settings, address)};
}

Expected<void> describe_peer(DeskState& state, const Moment& moment, PeerRecord& peer,
                             const negotiation::PeerTransport& remote, sdp::Setup our_setup) {
  if (peer.described && is_same(*peer.described, remote)) return {};
  const auto description = remote_description(remote, our_setup);
  if (!description) return std::unexpected(description.error());
  if (!state.settings.webrtc.transports->set_remote(moment.now, peer.id, *description)) {
    return other_certificate();
  }
  peer.described = remote;
  return {};
}

Expected<void> restart_peer(DeskState& state, const Moment& moment, PeerRecord& peer,
                            const negotiation::PeerTransport& remote) {
  const auto description = remote_description(remote, peer.negotiation.our_setup());
  if (!description) return std::unexpected(description.error());
  if (!state.settings.webrtc.transports->restart(moment.now, peer.id, *description)) {
    return other_certificate();
  }
  peer.described = remote;
  return {};
}

signalling::Error from_negotiation(const negotiation::Error& error) {
  const bool is_codec = error.kind == negotiation::ErrorKind::unknown_codec;
  return {is_codec ? ErrorCode::unsupported_codec : ErrorCode::bad_sdp, error.to_string(),
          std::nullopt};
}

void write_offer(DeskState& state, const SessionRecord& session, PeerRecord& peer) {
  peer.offer = peer.negotiation.write_offer(local_transport(state, peer, session.address));
}

void offer_changes(DeskState& state) {
  for (const PeerKey& key : std::exchange(state.changed_peers, {})) {
    PeerRecord* peer = find_peer(state, key);
    if (peer == nullptr || peer->has_ended || peer->negotiation.is_offer_open() ||
        !peer->negotiation.has_changes()) {
      continue;
    }
    write_offer(state, state.sessions.at(key.session), *peer);
    tell(state, key.session,
         signalling::OfferMade{key.peer, peer->negotiation.generation(), peer->offer});
  }
}

void repeat_offers(DeskState& state, SessionNumber session) {
  for (const auto& [number, peer] : state.sessions.at(session).peers) {
    if (!peer.negotiation.is_offer_open()) continue;
    tell(state, session, signalling::OfferMade{number, peer.negotiation.generation(), peer.offer});
  }
}

void release_ssrcs(DeskState& state, const OfferedMedium& medium) noexcept {
  state.engine.release_ssrc(medium.ssrc);
  if (medium.retransmission_ssrc) state.engine.release_ssrc(*medium.retransmission_ssrc);
}

void leave_peer(DeskState& state, const LegKey& key, const LegRecord& leg) {
  if (!leg.peer) return;
  for (const OfferedMedium& medium : leg.offered) release_ssrcs(state, medium);
  const PeerKey place{key.session, *leg.peer};
  PeerRecord& peer = *find_peer(state, place);
  peer.legs.erase(key.leg);
  if (!peer.legs.empty()) {
    for (const LegTrack& track : leg.tracks) peer.negotiation.remove(track.mid);
    state.changed_peers.insert(place);
    return;
  }
  if (!peer.has_ended) announce_end(state, place, signalling::PeerEndReason::no_legs);
  drop_peer(state, place);
}

void remove_departed_peers(DeskState& state) {
  for (const transport::PeerId peer : std::exchange(state.departed_peers, {})) {
    state.settings.webrtc.transports->remove(peer);
  }
}

}  // namespace runnel::session
