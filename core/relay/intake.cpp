#include "core/relay/intake.h"

#include <algorithm>
#include <array>

#include "core/relay/locating.h"
#include "core/relay/peer_control.h"
#include "core/relay/peer_input.h"
#include "core/relay/receiver_input.h"
#include "core/relay/source_control.h"
#include "core/relay/source_media.h"
#include "core/srtp/srtp_receiver.h"

namespace runnel::relay {
namespace {

/// Datagrams that are unprotected by one call.
constexpr std::size_t kChunk = 64;

void deliver(EngineState& state, const Addressee& to, const IncomingDatagram& datagram,
             ByteSpan clear) noexcept {
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
    case Addressee::Kind::peer_media:
      take_peer_media(state, state.links[to.index], datagram, clear);
      break;
    case Addressee::Kind::peer_control:
      take_peer_control(state, state.links[to.index], datagram.remote, clear);
      break;
  }
}

void count_failure(EngineState& state, const Addressee& to, const IncomingDatagram& datagram,
                   srtp::Error error) noexcept {
  const bool is_of_peer =
      to.kind == Addressee::Kind::peer_media || to.kind == Addressee::Kind::peer_control;
  if (is_of_peer) return drops_of(state, state.links[to.index]).add(srtp::drop_reason(error));
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

Located locate_any(EngineState& state, const IncomingDatagram& datagram) noexcept {
  if (state.transports != nullptr && !datagram.truncated) {
    if (const auto of_peer = locate_peer(state, datagram)) return *of_peer;
  }
  return locate(state, datagram);
}

void take_chunk(EngineState& state, std::span<const IncomingDatagram> chunk) noexcept {
  std::array<Pending, kChunk> pending;
  std::array<srtp::UnprotectJob, kChunk> jobs;
  std::size_t pending_count = 0;
  std::size_t job_count = 0;
  for (const IncomingDatagram& datagram : chunk) {
    const Located to = locate_any(state, datagram);
    if (!to) {
      if (to.error().counters != nullptr) to.error().counters->add(to.error().reason);
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
    const ByteSpan bytes = entry.datagram->bytes;
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
  settle_transports(state);
}

void settle_transports(EngineState& state) noexcept {
  if (state.transports == nullptr) return;
  settle_peers(state);
  std::span<const transport::EarlyDatagram> early = state.transports->take_early();
  state.burst.reserve_packets(early.size());
  while (!early.empty()) {
    std::array<IncomingDatagram, kChunk> chunk;
    const std::size_t count = std::min(early.size(), kChunk);
    for (std::size_t i = 0; i < count; ++i) {
      chunk[i] = {early[i].path.port, early[i].path.remote, early[i].bytes};
    }
    take_chunk(state, std::span(chunk).first(count));
    early = early.subspan(count);
  }
}

void take_messages(EngineState& state, std::span<const IncomingMessage> batch) noexcept {
  state.burst.reserve_packets(batch.size());
  for (const IncomingMessage& message : batch) {
    if (const Located to = locate(state, message)) {
      take_source_media(state, state.tracks[to->index], std::nullopt, message.bytes);
    } else {
      to.error().counters->add(to.error().reason);
    }
  }
}

}  // namespace runnel::relay
