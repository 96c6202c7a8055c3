#include "core/relay/intake.h"

#include <algorithm>
#include <expected>

#include "core/relay/latching.h"
#include "core/relay/receiver_input.h"
#include "core/relay/source_control.h"
#include "core/relay/source_media.h"
#include "core/relay/track_lifecycle.h"
#include "core/rtp/packet_classifier.h"
#include "core/rtp/rtp_packet.h"
#include "core/srtp/srtp_receiver.h"

namespace runnel::relay {
namespace {

/// Datagrams that are unprotected by one call.
constexpr std::size_t kChunk = 64;
/// What has to be there to know whose an RTCP packet is: its header and the sender's SSRC.
constexpr std::size_t kMinRtcpSize = 8;

/// Who is to get a datagram, once it has been found authentic.
struct Addressee {
  enum class Kind : std::uint8_t { source_media, source_control, receiver_media, receiver_control };
  Kind kind = Kind::source_media;
  std::uint32_t index = 0;             // of the track, the relay, or the receiver leg
  srtp::Receiver* receiver = nullptr;  // nullptr: clear

  [[nodiscard]] srtp::PacketKind packet_kind() const noexcept {
    const bool is_media = kind == Kind::source_media || kind == Kind::receiver_media;
    return is_media ? srtp::PacketKind::rtp : srtp::PacketKind::rtcp;
  }
};

struct Refusal {
  DropReason reason;
  DropCounters* counters;
};

using Located = std::expected<Addressee, Refusal>;

template <typename T>
T* pointer_to(std::optional<T>& value) noexcept {
  return value ? &*value : nullptr;
}

SourceTrack& track_on(EngineState& state, const Relay& relay, PortIndex port) noexcept {
  const auto tracks = state.tracks_of(relay);
  for (SourceTrack& track : tracks) {
    if (track.uses(port)) return track;
  }
  return tracks.front();
}

Located locate_source_media(EngineState& state, const Relay& relay,
                            const IncomingDatagram& datagram) noexcept {
  const std::uint8_t payload_type = datagram.bytes[1] & 0x7f;
  for (SourceTrack& track : state.tracks_of(relay)) {
    if (track.ports.rtp != datagram.port || track.payload_type != payload_type) continue;
    if (track.pinned_ssrc && load_be32(datagram.bytes.data() + 8) != *track.pinned_ssrc) {
      return std::unexpected(Refusal{DropReason::unknown_ssrc, &track.drops});
    }
    if (track.srtp) search_after_silence(state, track);
    return Addressee{Addressee::Kind::source_media, state.index_of(track), pointer_to(track.srtp)};
  }
  return std::unexpected(
      Refusal{DropReason::unknown_payload_type, &track_on(state, relay, datagram.port).drops});
}

Located locate_source(EngineState& state, std::uint32_t relay_index, rtp::PacketClass packet_class,
                      const IncomingDatagram& datagram) noexcept {
  Relay& relay = state.relays[relay_index];
  if (!is_allowed(relay.allow, datagram.remote.ip)) {
    return std::unexpected(
        Refusal{DropReason::source_not_allowed, &track_on(state, relay, datagram.port).drops});
  }
  if (packet_class == rtp::PacketClass::rtp) return locate_source_media(state, relay, datagram);
  return Addressee{Addressee::Kind::source_control, relay_index, pointer_to(relay.rtcp_receiver)};
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

Located locate_receiver(EngineState& state, std::uint32_t leg_index, rtp::PacketClass packet_class,
                        const IncomingDatagram& datagram) noexcept {
  ReceiverLegState& leg = state.legs[leg_index];
  DropCounters& drops = receiver_on(state, leg, datagram.port).drops;
  if (!is_allowed(leg.allow, datagram.remote.ip) || !is_credible(state, leg, datagram)) {
    return std::unexpected(Refusal{DropReason::source_not_allowed, &drops});
  }
  srtp::Receiver* receiver = pointer_to(leg.reply_receiver);
  if (packet_class == rtp::PacketClass::rtcp) {
    return Addressee{Addressee::Kind::receiver_control, leg_index, receiver};
  }
  if (!waits_for_address(state, leg, datagram.port)) {
    return std::unexpected(Refusal{DropReason::unknown_payload_type, &drops});
  }
  return Addressee{Addressee::Kind::receiver_media, leg_index, receiver};
}

Located locate_shared(EngineState& state, std::uint32_t latching_leg, rtp::PacketClass packet_class,
                      const IncomingDatagram& datagram) noexcept {
  if (const auto leg = state.paths.find({datagram.port, datagram.remote})) {
    return locate_receiver(state, *leg, packet_class, datagram);
  }
  if (latching_leg != PortUse::kNobody &&
      waits_for_address(state, state.legs[latching_leg], datagram.port)) {
    return locate_receiver(state, latching_leg, packet_class, datagram);
  }
  return std::unexpected(Refusal{DropReason::unknown_path, &state.stray_drops});
}

/// What can be said of a datagram without knowing whose it is.
std::optional<DropReason> fault_of(const IncomingDatagram& datagram,
                                   rtp::PacketClass packet_class) noexcept {
  if (datagram.truncated || datagram.bytes.size() > kMaxDatagramSize) return DropReason::oversized;
  switch (packet_class) {
    case rtp::PacketClass::rtp:
      if (datagram.bytes.size() < rtp::kFixedHeaderSize) return DropReason::malformed;
      return std::nullopt;
    case rtp::PacketClass::rtcp:
      if (datagram.bytes.size() < kMinRtcpSize) return DropReason::malformed;
      return std::nullopt;
    default:
      return DropReason::not_rtp;
  }
}

Located locate(EngineState& state, const IncomingDatagram& datagram) noexcept {
  const rtp::PacketClass packet_class = rtp::classify(datagram.bytes);
  if (const auto fault = fault_of(datagram, packet_class)) {
    return std::unexpected(Refusal{*fault, &drops_of(state, datagram.port)});
  }
  const PortUse use = state.ports.at(datagram.port);
  switch (use.kind) {
    case PortUse::Kind::source:
      return locate_source(state, use.owner, packet_class, datagram);
    case PortUse::Kind::receiver:
      return locate_receiver(state, use.owner, packet_class, datagram);
    case PortUse::Kind::shared:
      return locate_shared(state, use.owner, packet_class, datagram);
    case PortUse::Kind::unused:
      break;
  }
  return std::unexpected(Refusal{DropReason::unknown_path, &state.stray_drops});
}

void deliver(EngineState& state, const Addressee& to, const IncomingDatagram& datagram,
             ByteView clear) noexcept {
  switch (to.kind) {
    case Addressee::Kind::source_media: {
      SourceTrack& track = state.tracks[to.index];
      track.failures.succeeded(datagram.remote);
      take_source_media(state, track, datagram.remote, clear);
      break;
    }
    case Addressee::Kind::source_control:
      take_source_control(state, state.relays[to.index], datagram.port, datagram.remote, clear);
      break;
    case Addressee::Kind::receiver_media:
      take_receiver_media(state, state.legs[to.index], datagram.port, datagram.remote, clear);
      break;
    case Addressee::Kind::receiver_control:
      take_receiver_control(state, state.legs[to.index], datagram.port, datagram.remote, clear);
      break;
  }
}

void count_failure(EngineState& state, const Addressee& to, const IncomingDatagram& datagram,
                   srtp::Error error) noexcept {
  SourceTrack* track = nullptr;
  if (to.kind == Addressee::Kind::source_media) track = &state.tracks[to.index];
  if (to.kind == Addressee::Kind::source_control) {
    track = &track_on(state, state.relays[to.index], datagram.port);
  }
  if (track == nullptr) {
    receiver_on(state, state.legs[to.index], datagram.port).drops.add(srtp::drop_reason(error));
    return;
  }
  track->drops.add(srtp::drop_reason(error));
  const bool wrong_key =
      error == srtp::Error::authentication_failed || error == srtp::Error::unknown_mki;
  if (wrong_key && track->failures.failed(state.now, datagram.remote)) {
    state.say(AuthenticationFailing{track->relay, track->medium, datagram.remote});
  }
}

/// A datagram that has an addressee, and which of the jobs decrypts it.
struct Pending {
  static constexpr std::size_t kClear = kChunk;

  Addressee to;
  const IncomingDatagram* datagram = nullptr;
  std::size_t job = kClear;
};

void take_chunk(EngineState& state, std::span<const IncomingDatagram> chunk) noexcept {
  std::array<Pending, kChunk> pending;
  std::array<srtp::UnprotectJob, kChunk> jobs;
  std::size_t pending_count = 0;
  std::size_t job_count = 0;
  for (const IncomingDatagram& datagram : chunk) {
    const Located to = locate(state, datagram);
    if (!to) {
      to.error().counters->add(to.error().reason);
      continue;
    }
    Pending& entry = pending[pending_count++];
    entry = {*to, &datagram, Pending::kClear};
    if (to->receiver == nullptr) continue;
    entry.job = job_count++;
    jobs[entry.job] = {to->receiver, to->packet_kind(), datagram.bytes, 0};
  }
  srtp::unprotect(std::span(jobs).first(job_count));
  for (const Pending& entry : std::span(pending).first(pending_count)) {
    const ByteView bytes = entry.datagram->bytes;
    if (entry.job == Pending::kClear) {
      deliver(state, entry.to, *entry.datagram, bytes);
    } else if (const auto& size = jobs[entry.job].result) {
      deliver(state, entry.to, *entry.datagram, bytes.first(*size));
    } else {
      count_failure(state, entry.to, *entry.datagram, size.error());
    }
  }
}

}  // namespace

void take_datagrams(EngineState& state, std::span<const IncomingDatagram> batch) noexcept {
  state.burst.reserve_packets(batch.size());
  while (!batch.empty()) {
    const std::size_t count = std::min(batch.size(), kChunk);
    take_chunk(state, batch.first(count));
    batch = batch.subspan(count);
  }
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
