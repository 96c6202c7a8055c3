#include "core/relay/locating.h"

#include <algorithm>

#include "core/relay/latching.h"
#include "core/relay/receiver_input.h"
#include "core/relay/track_lifecycle.h"
#include "core/rtp/packet_classifier.h"
#include "core/rtp/rtp_packet.h"

namespace runnel::relay {
namespace {

/// What has to be there to know whose an RTCP packet is: its header and the sender's SSRC.
constexpr std::size_t kMinRtcpSize = 8;

template <typename T>
T* pointer_to(std::optional<T>& value) noexcept {
  return value ? &*value : nullptr;
}

Located refused(DropReason reason, DropCounters& counters) noexcept {
  return std::unexpected(Refusal{reason, &counters});
}

/// What can be said of a packet without knowing whose it is.
std::optional<DropReason> fault_of(ByteView bytes) noexcept {
  if (bytes.size() > kMaxDatagramSize) return DropReason::oversized;
  switch (rtp::classify(bytes)) {
    case rtp::PacketClass::rtp:
      if (bytes.size() < rtp::kFixedHeaderSize) return DropReason::malformed;
      return std::nullopt;
    case rtp::PacketClass::rtcp:
      if (bytes.size() < kMinRtcpSize) return DropReason::malformed;
      return std::nullopt;
    default:
      return DropReason::not_rtp;
  }
}

/// Of a packet without fault, as all below.
bool is_rtcp(ByteView bytes) noexcept {
  return rtp::is_rtcp_type(bytes[1]);
}

std::uint8_t payload_type_of(ByteView rtp_packet) noexcept {
  return rtp_packet[1] & 0x7f;
}

/// Of RTP, or of the sender of RTCP.
std::uint32_t ssrc_of(ByteView bytes) noexcept {
  return load_be32(bytes.data() + (is_rtcp(bytes) ? 4 : 8));
}

Located locate_track(EngineState& state, SourceTrack& track, ByteView bytes) noexcept {
  if (payload_type_of(bytes) != track.payload_type) {
    return refused(DropReason::unknown_payload_type, track.drops);
  }
  if (track.pinned_ssrc && ssrc_of(bytes) != *track.pinned_ssrc) {
    return refused(DropReason::unknown_ssrc, track.drops);
  }
  if (track.srtp) search_after_silence(state, track);
  return Addressee{Addressee::Kind::source_media, track.index, pointer_to(track.srtp)};
}

Located locate_source_media(EngineState& state, const Relay& relay,
                            const IncomingDatagram& datagram) noexcept {
  const std::uint8_t payload_type = payload_type_of(datagram.bytes);
  for (SourceTrack& track : state.tracks_of(relay)) {
    if (track.ports.rtp != datagram.port || track.payload_type != payload_type) continue;
    if (track.remote && track.remote != datagram.remote) continue;
    return locate_track(state, track, datagram.bytes);
  }
  return refused(DropReason::unknown_payload_type, track_on(state, relay, datagram.port).drops);
}

/// `known`: the track that RTP of this SSRC is for; nullptr: payload type and address tell.
Located locate_source(EngineState& state, std::uint32_t relay_index, SourceTrack* known,
                      const IncomingDatagram& datagram) noexcept {
  Relay& relay = state.relays[relay_index];
  if (!is_allowed(relay.from->allow, datagram.remote.ip)) {
    SourceTrack& blamed = known != nullptr ? *known : track_on(state, relay, datagram.port);
    return refused(DropReason::source_not_allowed, blamed.drops);
  }
  if (is_rtcp(datagram.bytes)) {
    return Addressee{Addressee::Kind::source_control, relay_index,
                     pointer_to(relay.from->rtcp_receiver)};
  }
  if (known != nullptr) return locate_track(state, *known, datagram.bytes);
  return locate_source_media(state, relay, datagram);
}

/// Without keys, an address is all that speaks for a packet. Another port of the same host will do,
/// since some send RTCP from wherever they like.
bool is_credible(EngineState& state, const ReceiverLegState& leg,
                 const IncomingDatagram& datagram) noexcept {
  if (leg.reply_receiver || waits_for_address(state, leg, datagram.port)) return true;
  return std::ranges::any_of(state.receivers_of(leg), [&](const ReceiverTrack& receiver) {
    return receiver.rtp_destination && receiver.rtp_destination->ip == datagram.remote.ip;
  });
}

Located locate_receiver(EngineState& state, std::uint32_t leg_index,
                        const IncomingDatagram& datagram) noexcept {
  ReceiverLegState& leg = state.legs[leg_index];
  DropCounters& drops = receiver_on(state, leg, datagram.port).drops;
  if (!is_allowed(leg.allow, datagram.remote.ip) || !is_credible(state, leg, datagram)) {
    return refused(DropReason::source_not_allowed, drops);
  }
  srtp::Receiver* receiver = pointer_to(leg.reply_receiver);
  if (is_rtcp(datagram.bytes)) {
    return Addressee{Addressee::Kind::receiver_control, leg_index, receiver};
  }
  if (!waits_for_address(state, leg, datagram.port)) {
    return refused(DropReason::unknown_payload_type, drops);
  }
  return Addressee{Addressee::Kind::receiver_media, leg_index, receiver};
}

/// Whether RTCP that a source and a receiver might both have sent is the source's.
bool is_of_source(EngineState& state, const Relay& relay,
                  const IncomingDatagram& datagram) noexcept {
  const std::uint32_t ssrc = ssrc_of(datagram.bytes);
  return std::ranges::any_of(state.tracks_of(relay), [ssrc](const SourceTrack& track) {
    return track.ssrc.current() == ssrc;
  });
}

/// The relay whose source sends from this path, if this is what it sends. `known`: who else may
/// have this SSRC.
std::optional<std::uint32_t> source_at(EngineState& state,
                                       std::optional<SsrcDirectory::Holder> known,
                                       const IncomingDatagram& datagram) noexcept {
  const Path path{datagram.port, datagram.remote};
  const auto relay = state.source_paths.find(path);
  if (!relay || !is_rtcp(datagram.bytes)) return relay;
  if (!known && !state.paths.find(path)) return relay;
  return is_of_source(state, state.relays[*relay], datagram) ? relay : std::nullopt;
}

/// The leg that waits to be shown where its receiver is, and to which this may be the sign.
std::optional<std::uint32_t> waiting_leg(const EngineState& state,
                                         std::optional<SsrcDirectory::Holder> known,
                                         const IncomingDatagram& datagram) noexcept {
  std::uint32_t leg = state.ports.at(datagram.port).owner;
  if (known && is_rtcp(datagram.bytes)) leg = known->index;
  if (leg == PortUse::kNobody) return std::nullopt;
  if (!waits_for_address(state, state.legs[leg], datagram.port)) return std::nullopt;
  return leg;
}

/// A sender's SSRC says more than its path: one socket may publish and subscribe at once.
Located locate_shared(EngineState& state, const IncomingDatagram& datagram) noexcept {
  using Kind = SsrcDirectory::Holder::Kind;
  const auto known = state.known_ssrcs.find(datagram.port, ssrc_of(datagram.bytes));
  if (known && known->kind == Kind::source) {
    SourceTrack& track = state.tracks[known->index];
    return locate_source(state, track.relay, &track, datagram);
  }
  if (const auto relay = source_at(state, known, datagram)) {
    return locate_source(state, *relay, nullptr, datagram);
  }
  if (const auto leg = state.paths.find({datagram.port, datagram.remote})) {
    return locate_receiver(state, *leg, datagram);
  }
  if (const auto leg = waiting_leg(state, known, datagram)) {
    return locate_receiver(state, *leg, datagram);
  }
  return refused(DropReason::unknown_path, state.stray_drops);
}

}  // namespace

Located locate(EngineState& state, const IncomingDatagram& datagram) noexcept {
  const auto fault = datagram.truncated ? DropReason::oversized : fault_of(datagram.bytes);
  if (fault) return refused(*fault, drops_of(state, datagram.port));
  const PortUse use = state.ports.at(datagram.port);
  switch (use.kind) {
    case PortUse::Kind::source:
      return locate_source(state, use.owner, nullptr, datagram);
    case PortUse::Kind::receiver:
      return locate_receiver(state, use.owner, datagram);
    case PortUse::Kind::shared:
      return locate_shared(state, datagram);
    case PortUse::Kind::unused:
      break;
  }
  return refused(DropReason::unknown_path, state.stray_drops);
}

Located locate(EngineState& state, const IncomingMessage& message) noexcept {
  const bool is_there = state.relays.holds(message.relay) && state.relays[message.relay].from &&
                        state.relays[message.relay].from->channel == message.channel;
  if (!is_there) return refused(DropReason::superseded_source, state.stray_drops);
  const Relay& relay = state.relays[message.relay];
  if (message.medium >= relay.tracks.size()) {
    return refused(DropReason::unknown_payload_type, state.tracks[relay.tracks.front()].drops);
  }
  SourceTrack& track = state.tracks[relay.tracks[message.medium]];
  if (const auto fault = fault_of(message.bytes)) return refused(*fault, track.drops);
  if (is_rtcp(message.bytes)) return refused(DropReason::not_rtp, track.drops);
  return locate_track(state, track, message.bytes);
}

SourceTrack& track_on(EngineState& state, const Relay& relay, PortIndex port) noexcept {
  const auto tracks = state.tracks_of(relay);
  for (SourceTrack& track : tracks) {
    if (track.uses(port)) return track;
  }
  return tracks[0];
}

DropCounters& drops_of(EngineState& state, PortIndex port) noexcept {
  const PortUse use = state.ports.at(port);
  switch (use.kind) {
    case PortUse::Kind::source:
      return track_on(state, state.relays[use.owner], port).drops;
    case PortUse::Kind::receiver:
      return receiver_on(state, state.legs[use.owner], port).drops;
    case PortUse::Kind::shared:
    case PortUse::Kind::unused:
      break;
  }
  return state.stray_drops;
}

}  // namespace runnel::relay
