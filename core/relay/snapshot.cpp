#include "core/relay/snapshot.h"

#include "core/relay/engine_state.h"

namespace runnel::relay {
namespace {

SourceMediumStatistics snapshot_of(const SourceTrack& track) {
  return {.name = track.name,
          .live = track.state == TrackState::live,
          .ssrc = track.ssrc.current().value_or(0),
          .source = track.rtp_address,
          .packets = track.packets,
          .bytes = track.bytes,
          .lost = track.reception.lost(),
          .jitter = track.reception.jitter(),
          .restarts = track.restarts,
          .key_frame_requests = track.key_frame_requests,
          .drops = track.drops};
}

ReceiverMediumStatistics snapshot_of(const ReceiverTrack& receiver) {
  return {.destination = receiver.rtp_destination,
          .ssrc = receiver.ssrc,
          .packets = receiver.packets,
          .bytes = receiver.bytes,
          .key_frame_requests = receiver.key_frame_requests,
          .nacked_packets = receiver.nacked_packets,
          .fraction_lost = receiver.fraction_lost,
          .round_trip = receiver.round_trip,
          .jitter = receiver.jitter,
          .drops = receiver.drops};
}

}  // namespace

RelayStatistics snapshot(const EngineState& state, std::size_t index) {
  const Relay& relay = state.relays[index];
  RelayStatistics result;
  result.stream = relay.stream;
  result.relay = index;
  result.has_source = relay.from.has_value();
  if (relay.from) result.channel = relay.from->channel;
  result.departed = relay.departed;
  for (const std::uint32_t track : relay.tracks) {
    result.from.push_back(snapshot_of(state.tracks[track]));
  }
  for (const std::uint32_t number : relay.legs.numbers()) {
    const ReceiverLegState& leg = state.legs[relay.legs[number]];
    if (leg.removed) continue;
    ReceiverStatistics& receiver = result.to.emplace_back();
    receiver.receiver = number;
    receiver.channel = leg.channel;
    receiver.paused = leg.paused;
    for (const ReceiverTrack& medium : state.receivers_of(leg)) {
      receiver.media.push_back(snapshot_of(medium));
    }
  }
  return result;
}

}  // namespace runnel::relay
