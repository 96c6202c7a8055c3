#include "core/relay/peer_input.h"

#include "core/relay/peer_feedback.h"
#include "core/relay/peer_membership.h"
#include "core/relay/source_media.h"
#include "core/relay/ssrc_learning.h"
#include "core/relay/track_lifecycle.h"
#include "core/rtp/header_extension.h"
#include "core/rtp/packet_classifier.h"
#include "core/rtp/retransmission.h"
#include "core/rtp/rtp_packet.h"

namespace runnel::relay {
namespace {

const Located kDealtWith = std::unexpected(Refusal{DropReason::not_rtp, nullptr});

Located refused(DropReason reason, DropCounters& counters) noexcept {
  return std::unexpected(Refusal{reason, &counters});
}

/// What the Transports think of a datagram of their own.
Located outcome(EngineState& state, std::optional<DropReason> reason) noexcept {
  return reason ? refused(*reason, state.stray_drops) : kDealtWith;
}

Located locate_media(EngineState& state, const IncomingDatagram& datagram, transport::PeerId peer,
                     Addressee::Kind kind) noexcept {
  const auto link = state.links_by_peer.find(peer);
  if (link == state.links_by_peer.end()) {
    return refused(DropReason::no_receiver, state.stray_drops);
  }
  if (datagram.bytes.size() > kMaxDatagramSize) {
    return refused(DropReason::oversized, drops_of(state, state.links[link->second]));
  }
  if (datagram.bytes.size() < rtp::kFixedHeaderSize) {
    return refused(DropReason::malformed, drops_of(state, state.links[link->second]));
  }
  srtp::Receiver* receiver = state.transports->receiver(peer);
  if (receiver != nullptr) return Addressee{kind, link->second, receiver};
  const auto reason = state.transports->hold({datagram.port, datagram.remote}, datagram.bytes);
  return reason ? refused(*reason, drops_of(state, state.links[link->second])) : kDealtWith;
}

/// The transport-wide number of a packet, if its medium has agreed on one.
void note_arrival(EngineState& state, PeerLink& link, const SourceTrack& track,
                  const rtp::RtpPacketView& packet) noexcept {
  const WebRtcMedium& medium = track.webrtc->agreed;
  if (!medium.feedback.transport_wide || !packet.has_extension()) return;
  const std::uint8_t id = medium.extensions[rtp::ExtensionKind::transport_wide_number];
  rtp::ExtensionReader reader(packet.extension_profile(), packet.extension_data());
  while (const auto element = reader.next()) {
    if (element->id != id || element->data.size() < 2) continue;
    const auto deadline = link.arrivals->deadline();
    link.arrivals->arrived(load_be16(element->data.data()), state.now);
    const bool can_be_told = link.arrivals_ssrc.has_value();
    if (!can_be_told) link.arrivals_ssrc = packet.ssrc();
    if (!can_be_told || link.arrivals->deadline() != deadline) set_link_deadline(state, link);
    return;
  }
}

/// Follows what is missing, by the number of an accepted packet. A loss that cannot be made good
/// costs a key frame.
void note_number(EngineState& state, SourceTrack& track, std::uint16_t number) noexcept {
  if (!track.webrtc->agreed.feedback.nack) return;
  LossDetector& losses = track.webrtc->losses;
  if (!losses.received(number, state.now)) request_key_frame(state, track);
  if (losses.missing() > 0) set_deadline(state, track);
}

void take_retransmission(EngineState& state, SourceTrack& track, const rtp::RtpPacketView& packet,
                         const SocketAddress& from, ByteSpan clear) noexcept {
  const auto media_ssrc = track.ssrc.current();
  const auto content = rtp::parse_retransmission(packet);
  if (!content || !media_ssrc) {
    track.drops.add(DropReason::probe);
    return;
  }
  const std::uint16_t number = content->original_sequence_number;
  const ByteSpan original =
      rtp::unwrap_retransmission(clear, packet.header().size(), *media_ssrc, track.payload_type);
  if (take_source_media(state, track, from, original, Repeat::yes)) {
    note_number(state, track, number);
  }
}

/// Whether another leg has the packet's path or SSRC. Peers cannot prove that they are where their
/// checks come from (a lite agent asks nothing back), so what others have been given comes first:
/// nobody loses packets to a peer that says it is at their address.
bool is_of_other_leg(const EngineState& state, const Path& path, ByteView bytes) noexcept {
  if (state.source_paths.find(path) || state.paths.find(path)) return true;
  if (bytes.size() < rtp::kFixedHeaderSize) return false;
  const std::size_t ssrc_at = rtp::is_rtcp_type(bytes[1]) ? 4 : 8;
  return state.known_ssrcs.find(path.port, load_be32(bytes.data() + ssrc_at)).has_value();
}

}  // namespace

std::optional<Located> locate_peer(EngineState& state, const IncomingDatagram& datagram) noexcept {
  if (state.ports.at(datagram.port).kind != PortUse::Kind::shared) return std::nullopt;
  const Path path{datagram.port, datagram.remote};
  const rtp::PacketClass what = rtp::classify(datagram.bytes);
  switch (what) {
    case rtp::PacketClass::stun:
      return outcome(state, state.transports->handle_stun(state.now, path, datagram.bytes));
    case rtp::PacketClass::dtls:
      return outcome(state, state.transports->handle_dtls(state.now, path, datagram.bytes));
    case rtp::PacketClass::rtp:
    case rtp::PacketClass::rtcp:
      break;
    case rtp::PacketClass::other:
      return std::nullopt;
  }
  const auto peer = state.transports->peer_at(path);
  if (!peer || is_of_other_leg(state, path, datagram.bytes)) return std::nullopt;
  return locate_media(
      state, datagram, *peer,
      what == rtp::PacketClass::rtcp ? Addressee::Kind::peer_control : Addressee::Kind::peer_media);
}

void take_peer_media(EngineState& state, PeerLink& link, const IncomingDatagram& datagram,
                     ByteSpan clear) noexcept {
  state.transports->note_media(state.now, link.peer);
  const auto packet = rtp::RtpPacketView::parse(clear);
  if (!packet) return drops_of(state, link).add(DropReason::malformed);
  const auto route = route_of(state, link, *packet);
  if (!route) return drops_of(state, link).add(route.error());
  SourceTrack& track = state.tracks[route->track];
  note_arrival(state, link, track, *packet);
  if (route->is_retransmission) {
    return take_retransmission(state, track, *packet, datagram.remote, clear);
  }
  const bool is_event = track.webrtc->agreed.event_payload_type == packet->payload_type();
  if (packet->payload_type() != track.payload_type && !is_event) {
    return track.drops.add(DropReason::unknown_payload_type);
  }
  if (take_source_media(state, track, datagram.remote, clear)) {
    note_number(state, track, packet->sequence_number());
  }
}

void settle_peers(EngineState& state) noexcept {
  const std::size_t before = state.peer_events.size();
  state.transports->take_events(state.peer_events);
  for (std::size_t i = before; i < state.peer_events.size(); ++i) {
    take_peer_event(state, state.peer_events[i]);
  }
}

DropCounters& drops_of(EngineState& state, const PeerLink& link) noexcept {
  if (!link.relays.empty()) {
    return state.tracks[state.relays[link.relays.front()].tracks.front()].drops;
  }
  if (!link.legs.empty()) {
    return state.receivers[state.legs[link.legs.front()].receivers.front()].drops;
  }
  return state.stray_drops;
}

}  // namespace runnel::relay
