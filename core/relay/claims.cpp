#include "core/relay/claims.h"

#include <tuple>

#include "core/base/check.h"
#include "core/relay/destination.h"

namespace runnel::relay {
namespace {

using Verdict = std::expected<void, RelayError>;

/// What has to differ between two media of a leg, so that packets of the one are not taken for
/// those of the other.
using Mark =
    std::tuple<PortIndex, std::optional<SocketAddress>, std::optional<std::uint32_t>, std::uint8_t>;

}  // namespace

Verdict Claims::claim(const SourceLeg& from) {
  if (from.channel) return {};
  if (from.peer) return claim_peer(*from.peer, from.media);
  std::set<Mark> marks;
  for (const SourceMedium& medium : from.media) {
    const PortIndex rtp = medium.ports.rtp;
    const bool by_ssrc = is_shared(rtp) && !medium.remote;
    const Mark mark{rtp, medium.remote, by_ssrc ? medium.ssrc : std::nullopt, medium.payload_type};
    if (!marks.insert(mark).second) return std::unexpected(RelayError::duplicate_payload_type);
  }
  for (const SourceMedium& medium : from.media) {
    for (const SourcePlace& place : places_of(medium)) {
      if (auto verdict = claim_source_place(medium, place); !verdict) return verdict;
    }
  }
  return {};
}

Verdict Claims::claim(const ReceiverLeg& leg) {
  if (leg.channel) return {};
  if (leg.peer) return claim_peer(*leg.peer, leg.media);
  ++leg_;
  std::set<Mark> marks;
  for (const ReceiverMedium& medium : leg.media) {
    // Two media that are not latched or resolved yet may turn out to be at one address.
    const Mark mark{medium.ports.rtp, medium.rtp_destination, std::nullopt, medium.payload_type};
    if (!marks.insert(mark).second) return std::unexpected(RelayError::duplicate_payload_type);
  }
  for (const ReceiverMedium& medium : leg.media) {
    const PortIndex rtcp = medium.ports.rtcp.value_or(medium.ports.rtp);
    if (auto verdict = claim_receiver_port(leg, medium, medium.ports.rtp, medium.rtp_destination);
        !verdict) {
      return verdict;
    }
    if (auto verdict = claim_receiver_port(leg, medium, rtcp, rtcp_destination(medium)); !verdict) {
      return verdict;
    }
  }
  return {};
}

/// MIDs tell a peer's media apart.
template <typename Medium>
Verdict Claims::claim_peer(transport::PeerId peer, const std::vector<Medium>& media) {
  const bool is_known = state_.transports != nullptr && state_.transports->holds(peer);
  if (!is_known) return std::unexpected(RelayError::unknown_peer);
  std::set<std::string_view> mids = mids_of(peer);
  for (const Medium& medium : media) {
    RUNNEL_CHECK(medium.webrtc.has_value());
    RUNNEL_CHECK(medium.webrtc->rids.size() <= kMaxEncodings);
    const std::string& mid = medium.webrtc->mid;
    if (!mid.empty() && !mids.insert(mid).second) {
      return std::unexpected(RelayError::duplicate_mid);
    }
  }
  return {};
}

std::set<std::string_view> Claims::mids_of(transport::PeerId peer) const {
  std::set<std::string_view> mids;
  const auto found = state_.links_by_peer.find(peer);
  if (found == state_.links_by_peer.end()) return mids;
  const PeerLink& link = state_.links[found->second];
  for (const std::uint32_t relay : link.relays) {
    if (relay == replaced_) continue;
    for (const std::uint32_t track : state_.relays[relay].tracks) {
      mids.insert(state_.tracks[track].webrtc->agreed.mid);
    }
  }
  for (const std::uint32_t leg : link.legs) {
    for (const ReceiverTrack& receiver : state_.receivers_of(state_.legs[leg])) {
      mids.insert(receiver.webrtc->agreed.mid);
    }
  }
  return mids;
}

bool Claims::is_shared(PortIndex port) const noexcept {
  return state_.ports.at(port).kind == PortUse::Kind::shared;
}

bool Claims::is_of_replaced(SsrcDirectory::Holder holder) const noexcept {
  return holder.kind == SsrcDirectory::Holder::Kind::source &&
         replaced_ == state_.tracks[holder.index].relay;
}

Verdict Claims::claim_source_place(const SourceMedium& medium, const SourcePlace& place) {
  if (!is_shared(place.port)) {
    if (!claim_port(kSource, place.port)) return std::unexpected(RelayError::port_in_use);
  } else if (place.remote) {
    if (!is_free_for_source({place.port, *place.remote})) {
      return std::unexpected(RelayError::path_in_use);
    }
  } else if (!medium.ssrc) {
    return std::unexpected(RelayError::port_in_use);
  } else if (!claim_ssrc(kSource, place.port, *medium.ssrc)) {
    return std::unexpected(RelayError::ssrc_in_use_on_port);
  }
  return {};
}

Verdict Claims::claim_receiver_port(const ReceiverLeg& leg, const ReceiverMedium& medium,
                                    PortIndex port,
                                    const std::optional<SocketAddress>& destination) {
  if (!is_shared(port)) {
    if (!claim_port(leg_, port)) return std::unexpected(RelayError::port_in_use);
    return {};
  }
  if (leg.latch == Latch::first && medium.reply_ssrc) {
    if (!claim_ssrc(leg_, port, *medium.reply_ssrc)) {
      return std::unexpected(RelayError::ssrc_in_use_on_port);
    }
  } else if (leg.latch == Latch::first && !claim_latching(port)) {
    return std::unexpected(RelayError::port_in_use);
  }
  if (destination && !claim_path(port, *destination)) {
    return std::unexpected(RelayError::path_in_use);
  }
  return {};
}

bool Claims::claim_port(LegNumber leg, PortIndex port) {
  const PortUse use = state_.ports.at(port);
  const bool is_replaced = use.kind == PortUse::Kind::source && use.owner == replaced_;
  if (use.kind != PortUse::Kind::unused && !is_replaced) return false;
  return ports_.try_emplace(port, leg).first->second == leg;
}

/// Media of one receiver leg may report under one SSRC; those of a source are told apart by it.
bool Claims::claim_ssrc(LegNumber leg, PortIndex port, std::uint32_t ssrc) {
  const auto holder = state_.known_ssrcs.find(port, ssrc);
  if (holder && !is_of_replaced(*holder)) return false;
  const auto [claimed, is_new] = ssrcs_.try_emplace({port, ssrc}, leg);
  return is_new || (leg != kSource && claimed->second == leg);
}

/// One leg at most may wait on a shared port for an address of which it knows nothing: whose first
/// packet would it be?
bool Claims::claim_latching(PortIndex port) {
  if (state_.ports.at(port).owner != PortUse::kNobody) return false;
  return latching_.try_emplace(port, leg_).first->second == leg_;
}

bool Claims::claim_path(PortIndex port, const SocketAddress& remote) {
  if (state_.paths.find({port, remote})) return false;
  return paths_.try_emplace({port, remote}, leg_).first->second == leg_;
}

/// Media of one source may share a path.
bool Claims::is_free_for_source(const Path& path) const {
  const auto owner = state_.source_paths.find(path);
  return !owner || owner == replaced_;
}

}  // namespace runnel::relay
