#include "core/relay/snapshot.h"

#include <algorithm>

#include "core/relay/engine_state.h"

namespace runnel::relay {
namespace {

/// Measuring moves the window of the meter on, of which a copy will do.
std::uint64_t bitrate_of(const EngineState& state, const SourceTrack& track) {
  BitrateMeter meter = track.bitrate;
  return meter.bits_per_second(std::max(state.now, track.last_packet));
}

bool comes(const SourceTrack& track) {
  return track.state == TrackState::live && !track.is_quiet;
}

EncodingStatistics snapshot_of_encoding(const EngineState& state, const SourceTrack& track) {
  return {.rid = track.rid,
          .ssrc = track.ssrc.current().value_or(0),
          .flowing = comes(track),
          .picture_size = track.picture_size,
          .bitrate = bitrate_of(state, track),
          .packets = track.packets,
          .lost = track.reception.lost(),
          .nacked_packets = track.nacked_packets};
}

/// Of the medium whose first encoding this is: sums, and else what the first one has.
SourceMediumStatistics snapshot_of(const EngineState& state, const SourceTrack& first) {
  SourceMediumStatistics medium;
  medium.name = first.name;
  medium.ssrc = first.ssrc.current().value_or(0);
  medium.source = first.rtp_address;
  medium.jitter = first.reception.jitter();
  for (const std::uint32_t index : first.encodings) {
    const SourceTrack& track = state.tracks[index];
    medium.live = medium.live || track.state == TrackState::live;
    medium.packets += track.packets;
    medium.bytes += track.bytes;
    medium.lost += track.reception.lost();
    medium.restarts += track.restarts;
    medium.key_frame_requests += track.key_frame_requests;
    medium.drops += track.drops;
    medium.bitrate += bitrate_of(state, track);
    const bool is_larger =
        track.picture_size && !track.is_quiet &&
        (!medium.picture_size || track.picture_size->height > medium.picture_size->height);
    if (is_larger) medium.picture_size = track.picture_size;
  }
  medium.encodings = snapshot_of_encodings(state, first);
  return medium;
}

/// What holds the receiver up, as far as that is decided here.
std::optional<Withheld> withheld_from(const EngineState& state, const ReceiverTrack& receiver) {
  if (receiver.paused) return Withheld::paused;
  if (!receiver.rtp_destination && !receiver.channel) return Withheld::no_destination;
  if (receiver.key_expired) return Withheld::key_expired;
  if (receiver.follows && comes(state.tracks[receiver.source])) return std::nullopt;
  const bool may_begin = comes(state.tracks[receiver.next_source.value_or(receiver.source)]);
  return may_begin ? Withheld::waiting_for_key_frame : Withheld::source_is_silent;
}

ReceiverMediumStatistics snapshot_of(const EngineState& state, const ReceiverTrack& receiver) {
  return {.destination = receiver.rtp_destination,
          .ssrc = receiver.ssrc,
          .packets = receiver.packets,
          .bytes = receiver.bytes,
          .key_frame_requests = receiver.key_frame_requests,
          .nacked_packets = receiver.nacked_packets,
          .fraction_lost = receiver.fraction_lost,
          .round_trip = receiver.round_trip,
          .jitter = receiver.jitter,
          .drops = receiver.drops,
          .retransmitted_packets = receiver.retransmitted_packets,
          .rid = receiver.follows ? state.tracks[receiver.source].rid : "",
          .next_rid = receiver.next_source ? state.tracks[*receiver.next_source].rid : "",
          .withheld = withheld_from(state, receiver)};
}

}  // namespace

std::vector<EncodingStatistics> snapshot_of_encodings(const EngineState& state,
                                                      const SourceTrack& first) {
  std::vector<EncodingStatistics> encodings;
  for (const std::uint32_t index : first.encodings) {
    const SourceTrack& track = state.tracks[index];
    if (track.link && track.is_offered) encodings.push_back(snapshot_of_encoding(state, track));
  }
  return encodings;
}

RelayStatistics snapshot(const EngineState& state, std::size_t index) {
  const Relay& relay = state.relays[index];
  RelayStatistics result;
  result.stream = relay.stream;
  result.relay = index;
  result.has_source = relay.from.has_value();
  if (relay.from) result.channel = relay.from->channel;
  if (relay.from && relay.from->link) result.peer = state.links[*relay.from->link].peer;
  result.departed = relay.departed;
  for (const std::uint32_t track : relay.tracks) {
    result.from.push_back(snapshot_of(state, state.tracks[track]));
  }
  for (const std::uint32_t number : relay.legs.numbers()) {
    const ReceiverLegState& leg = state.legs[relay.legs[number]];
    if (leg.removed) continue;
    ReceiverStatistics& receiver = result.to.emplace_back();
    receiver.receiver = number;
    receiver.channel = leg.channel;
    if (leg.link) receiver.peer = state.links[*leg.link].peer;
    receiver.paused = leg.paused;
    for (const ReceiverTrack& medium : state.receivers_of(leg)) {
      receiver.media.push_back(snapshot_of(state, medium));
    }
  }
  return result;
}

}  // namespace runnel::relay
